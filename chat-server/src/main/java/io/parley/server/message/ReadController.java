package io.parley.server.message;

import java.security.Principal;

import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Moves the user's read marker: {@code PUT /api/rooms/{id}/read}. */
@RestController
class ReadController {

	private final ReadMarkerService readMarkers;

	private final RateLimits rates;

	private final ThreadService threads;

	ReadController(ReadMarkerService readMarkers, ThreadService threads, RateLimits rates) {
		this.threads = threads;
		this.readMarkers = readMarkers;
		this.rates = rates;
	}

	/**
	 * The body of a request.
	 *
	 * @param threads whether the threads that the user follows in the room are read too;
	 * null for not
	 */
	record ReadUpTo(@NotNull JsonNode position, @Nullable Boolean threads) {

		/**
		 * Returns the position; refuses a number that is not a 64-bit integer instead of
		 * rounding it.
		 */
		long exact() {
			if (!this.position.isIntegralNumber() || !this.position.canConvertToLong()) {
				throw ErrorCode.BAD_POSITION.because("The body must be {\"position\": <number>}.");
			}
			return this.position.longValue();
		}

	}

	@PutMapping("/api/rooms/{room}/read")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void read(@PathVariable String room, @Valid @RequestBody ReadUpTo read, Principal user) {
		this.rates.takeSignal(user.getName());
		this.readMarkers.read(room, user.getName(), read.exact());
		if (Boolean.TRUE.equals(read.threads())) {
			this.threads.readAll(room, user.getName(), read.exact());
		}
	}

}
