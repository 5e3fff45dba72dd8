package io.parley.server.message;

import java.security.Principal;

import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
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

	ReadController(ReadMarkerService readMarkers, RateLimits rates) {
		this.readMarkers = readMarkers;
		this.rates = rates;
	}

	record ReadUpTo(@NotNull JsonNode position) {

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
	}

}
