package io.parley.server.message;

import java.io.IOException;
import java.security.Principal;
import java.util.List;

import io.parley.server.delivery.UserEvents.ScheduledView;
import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Messages that are sent later: {@code POST /api/rooms/{room}/scheduled}, and
 * {@code /api/me/scheduled}.
 */
@RestController
class ScheduledController {

	private final ScheduledService scheduled;

	private final PageLimits limits;

	private final JsonMapper json;

	ScheduledController(ScheduledService scheduled, PageLimits limits, JsonMapper json) {
		this.scheduled = scheduled;
		this.limits = limits;
		this.json = json;
	}

	record All(List<ScheduledView> scheduled) {
	}

	@PostMapping("/api/rooms/{room}/scheduled")
	ResponseEntity<ScheduledView> create(@PathVariable String room, @RequestBody byte[] body, Principal user) {
		ScheduledService.Made made = this.scheduled.create(user.getName(), room, body);
		return ResponseEntity.status(made.isNew() ? HttpStatus.CREATED : HttpStatus.OK).body(made.message());
	}

	@GetMapping(path = "/api/me/scheduled", produces = MediaType.APPLICATION_JSON_VALUE)
	void all(Principal user, HttpServletResponse response) throws IOException {
		this.limits.page(user.getName(), () -> this.json.writeValueAsBytes(new All(this.scheduled.of(user.getName()))),
				response);
	}

	@PatchMapping("/api/me/scheduled/{id}")
	ScheduledView change(@PathVariable long id, @RequestBody byte[] body, Principal user) {
		return this.scheduled.change(user.getName(), id, body);
	}

	@DeleteMapping("/api/me/scheduled/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void cancel(@PathVariable long id, Principal user) {
		this.scheduled.cancel(user.getName(), id);
	}

}
