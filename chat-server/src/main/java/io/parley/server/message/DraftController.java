package io.parley.server.message;

import java.io.IOException;
import java.security.Principal;
import java.util.List;

import io.parley.events.Positions;
import io.parley.server.error.ErrorCode;
import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Drafts of the user: {@code /api/rooms/{room}/draft} and {@code …/threads/{root}/draft},
 * and {@code GET /api/me/drafts}.
 */
@RestController
class DraftController {

	private final DraftService drafts;

	private final PageLimits limits;

	private final JsonMapper json;

	DraftController(DraftService drafts, PageLimits limits, JsonMapper json) {
		this.drafts = drafts;
		this.limits = limits;
		this.json = json;
	}

	record All(List<DraftView> drafts) {
	}

	@GetMapping(path = "/api/me/drafts", produces = MediaType.APPLICATION_JSON_VALUE)
	void all(Principal user, HttpServletResponse response) throws IOException {
		this.limits.page(user.getName(), () -> this.json.writeValueAsBytes(new All(this.drafts.of(user.getName()))),
				response);
	}

	@PutMapping("/api/rooms/{room}/draft")
	DraftView put(@PathVariable String room, @RequestBody byte[] body, Principal user) {
		return this.drafts.put(user.getName(), room, Positions.NONE, body);
	}

	@DeleteMapping("/api/rooms/{room}/draft")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void remove(@PathVariable String room, Principal user) {
		this.drafts.remove(user.getName(), room, Positions.NONE);
	}

	@PutMapping("/api/rooms/{room}/threads/{root}/draft")
	DraftView putReply(@PathVariable String room, @PathVariable long root, @RequestBody byte[] body, Principal user) {
		return this.drafts.put(user.getName(), room, requirePosition(root), body);
	}

	@DeleteMapping("/api/rooms/{room}/threads/{root}/draft")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void removeReply(@PathVariable String room, @PathVariable long root, Principal user) {
		this.drafts.remove(user.getName(), room, requirePosition(root));
	}

	private static long requirePosition(long root) {
		if (root <= Positions.NONE) {
			throw ErrorCode.NOT_FOUND.because("There is no message at position " + root + ".");
		}
		return root;
	}

}
