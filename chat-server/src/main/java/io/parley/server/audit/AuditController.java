package io.parley.server.audit;

import java.util.List;

import io.parley.server.error.ErrorCode;
import io.parley.store.audit.AuditEventRepository;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the audit log to operators, the newest entries first. */
@RestController
class AuditController {

	private static final int MAX_PAGE = 500;

	private final AuditEventRepository events;

	private final JsonMapper json;

	AuditController(AuditEventRepository events, JsonMapper json) {
		this.events = events;
		this.json = json;
	}

	/**
	 * @param next pass it as {@code before} for the next page; null on the last page
	 */
	record Page(List<AuditView> events, @Nullable Long next) {
	}

	@GetMapping("/api/operator/audit")
	Page page(@RequestParam @Nullable String user, @RequestParam @Nullable String action,
			@RequestParam(defaultValue = "" + Long.MAX_VALUE) long before,
			@RequestParam(defaultValue = "100") int limit) {
		if (action != null && AuditAction.ofWireName(action).isEmpty()) {
			throw ErrorCode.BAD_REQUEST
				.because("'action' is not an action of the audit log; docs/operations.md lists all of them.");
		}
		if (limit < 1 || limit > MAX_PAGE) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be 1 to " + MAX_PAGE + ".");
		}
		List<AuditView> page = this.events.page(user, action, before, limit)
			.stream()
			.map((event) -> AuditView.of(event, this.json))
			.toList();
		return new Page(page, (page.size() == limit) ? page.getLast().id() : null);
	}

}
