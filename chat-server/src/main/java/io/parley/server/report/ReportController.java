package io.parley.server.report;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import io.parley.server.audit.Actor;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.report.MessageReport;
import io.parley.store.report.ReportState;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Makes, lists and closes reports of messages. */
@RestController
class ReportController {

	private static final int MAX_TEXT = 500;

	private static final int MAX_PAGE = 500;

	private static final String ALL = "all";

	private final ReportQueue queue;

	private final RateLimits rates;

	ReportController(ReportQueue queue, RateLimits rates) {
		this.queue = queue;
		this.rates = rates;
	}

	/**
	 * @param reason what is wrong with the message
	 */
	record NewReport(@NotBlank @Size(max = MAX_TEXT) String reason) {
	}

	/** A report as its reporter sees it. */
	record Reported(long id, String room, long position, Instant reportedAt) {
	}

	/**
	 * @param next pass it as {@code before} for the next page; null on the last page
	 */
	record Page(List<ReportView> reports, @Nullable Long next) {

		static Page of(List<MessageReport> reports, int limit, Function<MessageReport, ReportView> view) {
			return new Page(reports.stream().map(view).toList(),
					(reports.size() == limit) ? reports.getLast().id() : null);
		}

	}

	/**
	 * @param state resolved or dismissed
	 */
	record Decision(@NotNull String state, @Nullable @Size(max = MAX_TEXT) String note) {

		ReportState closed() {
			ReportState wanted = parse(this.state);
			if (wanted == null || wanted == ReportState.OPEN) {
				throw ErrorCode.BAD_REQUEST.because("'state' must be resolved or dismissed.");
			}
			return wanted;
		}

	}

	@PostMapping("/api/rooms/{room}/messages/{position}/report")
	ResponseEntity<Reported> report(@PathVariable String room, @PathVariable long position,
			@Valid @RequestBody NewReport wanted, HttpServletRequest request) {
		Actor reporter = Actor.of(request);
		this.rates.takeReport(String.valueOf(reporter.username()));
		ReportQueue.Made made = this.queue.report(room, position, reporter, wanted.reason().strip());
		MessageReport report = made.report();
		return ResponseEntity.status(made.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
			.body(new Reported(report.id(), room, position, report.reportedAt()));
	}

	@GetMapping("/api/rooms/{room}/reports")
	Page ofRoom(@PathVariable String room, @RequestParam(defaultValue = "open") String state,
			@RequestParam(defaultValue = "" + Long.MAX_VALUE) long before,
			@RequestParam(defaultValue = "100") int limit, HttpServletRequest request) {
		requireLimit(limit);
		return Page.of(this.queue.ofRoom(room, request.getRemoteUser(), filter(state), before, limit), limit,
				ReportView::forModerators);
	}

	@PatchMapping("/api/rooms/{room}/reports/{id}")
	ReportView closeInRoom(@PathVariable String room, @PathVariable long id, @Valid @RequestBody Decision decision,
			HttpServletRequest request) {
		return ReportView
			.forModerators(this.queue.closeInRoom(room, id, changes(request), decision.closed(), decision.note()));
	}

	@GetMapping("/api/operator/reports")
	Page all(@RequestParam @Nullable String room, @RequestParam(defaultValue = "open") String state,
			@RequestParam(defaultValue = "" + Long.MAX_VALUE) long before,
			@RequestParam(defaultValue = "100") int limit) {
		requireLimit(limit);
		return Page.of(this.queue.all(room, filter(state), before, limit), limit, ReportView::forOperators);
	}

	@PatchMapping("/api/operator/reports/{id}")
	ReportView close(@PathVariable long id, @Valid @RequestBody Decision decision, HttpServletRequest request) {
		return ReportView.forOperators(this.queue.close(id, changes(request), decision.closed(), decision.note()));
	}

	/** Returns who changes something, and takes the change from their allowance. */
	private Actor changes(HttpServletRequest request) {
		Actor actor = Actor.of(request);
		this.rates.takeSignal(String.valueOf(actor.username()));
		return actor;
	}

	private static void requireLimit(int limit) {
		if (limit < 1 || limit > MAX_PAGE) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be 1 to " + MAX_PAGE + ".");
		}
	}

	/** Returns null for reports in any state. */
	private static @Nullable ReportState filter(String state) {
		ReportState wanted = parse(state);
		if (wanted == null && !state.equals(ALL)) {
			throw ErrorCode.BAD_REQUEST.because("'state' must be open, resolved, dismissed or all.");
		}
		return wanted;
	}

	private static @Nullable ReportState parse(String state) {
		for (ReportState known : ReportState.values()) {
			if (known.wireName().equals(state)) {
				return known;
			}
		}
		return null;
	}

}
