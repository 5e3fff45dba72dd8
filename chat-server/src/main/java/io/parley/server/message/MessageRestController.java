package io.parley.server.message;

import java.security.Principal;
import java.util.concurrent.CompletionException;

import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.error.ChatExceptions;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Posts messages over HTTP, like a SEND: {@code POST /api/rooms/{id}/messages}. */
@RestController
class MessageRestController {

	private final MessagePoster poster;

	MessageRestController(MessagePoster poster) {
		this.poster = poster;
	}

	@PostMapping("/api/rooms/{room}/messages")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted post(@PathVariable String room, @RequestBody byte[] body, Principal user) {
		try {
			return this.poster.post(room, user.getName(), body).join();
		}
		catch (CompletionException ex) {
			throw ChatExceptions.ofMessage(ex);
		}
	}

}
