package io.parley.server.message;

import java.security.Principal;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code PUT /api/rooms/{id}/read}. */
@RestController
class ReadController {

	private final Reading reading;

	ReadController(Reading reading) {
		this.reading = reading;
	}

	record ReadUpTo(@NotNull Long position) {
	}

	@PutMapping("/api/rooms/{room}/read")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void read(@PathVariable String room, @Valid @RequestBody ReadUpTo read, Principal user) {
		this.reading.read(room, user.getName(), read.position());
	}

}
