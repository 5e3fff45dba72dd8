package io.parley.server.message;

import java.security.Principal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.error.ExceptionTranslator;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Posts and changes messages over HTTP, like a SEND: {@code POST
 * /api/rooms/{id}/messages} and {@code …/threads/{root}/messages}, {@code PATCH} and
 * {@code DELETE} with their position, and {@code PUT} and {@code DELETE} of reactions and
 * pins.
 */
@RestController
class MessageRestController {

	private static final byte[] NO_FIELDS = { '{', '}' };

	private final MessagePoster poster;

	MessageRestController(MessagePoster poster) {
		this.poster = poster;
	}

	@PostMapping("/api/rooms/{room}/messages")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted post(@PathVariable String room, @RequestBody byte[] body, Principal user) {
		return await(this.poster.post(room, user.getName(), null, body));
	}

	@PostMapping("/api/rooms/{room}/threads/{root}/messages")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted reply(@PathVariable String room, @PathVariable long root, @RequestBody byte[] body, Principal user) {
		return await(this.poster.post(room, user.getName(), root, body));
	}

	@PatchMapping("/api/rooms/{room}/messages/{position}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted edit(@PathVariable String room, @PathVariable long position, @RequestBody byte[] body, Principal user) {
		return await(this.poster.edit(room, user.getName(), position, body));
	}

	@DeleteMapping("/api/rooms/{room}/messages/{position}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted delete(@PathVariable String room, @PathVariable long position,
			@RequestBody(required = false) byte @Nullable [] body, Principal user) {
		return await(this.poster.delete(room, user.getName(), position, orNoFields(body)));
	}

	@PutMapping("/api/rooms/{room}/messages/{position}/reactions/{key}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted react(@PathVariable String room, @PathVariable long position, @PathVariable String key, Principal user) {
		return await(this.poster.react(room, user.getName(), ReactionDraft.of(position, key, true)));
	}

	@DeleteMapping("/api/rooms/{room}/messages/{position}/reactions/{key}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted takeBack(@PathVariable String room, @PathVariable long position, @PathVariable String key,
			Principal user) {
		return await(this.poster.react(room, user.getName(), ReactionDraft.of(position, key, false)));
	}

	@PutMapping("/api/rooms/{room}/messages/{position}/pin")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted pin(@PathVariable String room, @PathVariable long position,
			@RequestBody(required = false) byte @Nullable [] body, Principal user) {
		return await(this.poster.pin(room, user.getName(), orNoFields(body),
				(fields) -> PinDraft.of(fields, position, true)));
	}

	@DeleteMapping("/api/rooms/{room}/messages/{position}/pin")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Accepted endPin(@PathVariable String room, @PathVariable long position,
			@RequestBody(required = false) byte @Nullable [] body, Principal user) {
		return await(this.poster.pin(room, user.getName(), orNoFields(body),
				(fields) -> PinDraft.of(fields, position, false)));
	}

	private static byte[] orNoFields(byte @Nullable [] body) {
		return (body != null && body.length > 0) ? body : NO_FIELDS;
	}

	private static Accepted await(CompletableFuture<Accepted> accepted) {
		try {
			return accepted.join();
		}
		catch (CompletionException ex) {
			throw ExceptionTranslator.ofMessage(ex);
		}
	}

}
