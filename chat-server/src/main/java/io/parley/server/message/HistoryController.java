package io.parley.server.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;

import io.parley.server.error.ErrorCode;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.HistoryPages;
import io.parley.server.timeline.HistoryProperties;
import io.parley.server.timeline.NumberedEvent;
import io.parley.server.timeline.RoomHeads;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Returns pages of history, forwards and backwards: {@code GET /api/rooms/{id}/messages}.
 */
@RestController
class HistoryController {

	private static final int DEFAULT_LIMIT = 50;

	private final RoomHeads heads;

	private final HistoryPages pages;

	private final RoomAccess access;

	private final PageLimits limits;

	private final int maxLimit;

	HistoryController(RoomHeads heads, HistoryPages pages, RoomAccess access, HistoryProperties properties,
			PageLimits limits) {
		this.limits = limits;
		this.heads = heads;
		this.pages = pages;
		this.access = access;
		this.maxLimit = properties.page();
	}

	@GetMapping(path = "/api/rooms/{room}/messages", produces = MediaType.APPLICATION_JSON_VALUE)
	void page(@PathVariable String room, @RequestParam @Nullable Long before, @RequestParam @Nullable Long after,
			@RequestParam @Nullable Integer limit, Principal user, HttpServletResponse response) throws IOException {
		if (before != null && after != null) {
			throw ErrorCode.BAD_REQUEST.because("Give 'before' or 'after', not both.");
		}
		if (limit != null && limit < 1) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be at least 1.");
		}
		if ((before != null && before <= 0) || (after != null && after < 0)) {
			throw ErrorCode.BAD_POSITION.because("'after' must be at least 0, and 'before' at least 1.");
		}
		this.access.require(RoomAction.READ, room, user.getName());
		int count = Math.min((limit != null) ? limit : DEFAULT_LIMIT, this.maxLimit);
		this.limits.page(user.getName(), () -> read(room, before, after, count), (json) -> {
			response.setContentType(MediaType.APPLICATION_JSON_VALUE);
			response.setContentLength(json.length);
			response.getOutputStream().write(json);
		});
	}

	private byte[] read(String room, @Nullable Long before, @Nullable Long after, int count) {
		List<NumberedEvent> events = (after != null) ? this.pages.after(room, after, count)
				: this.pages.before(room, (before != null) ? before : Long.MAX_VALUE, count);
		return json(events, this.heads.position(room));
	}

	/** Joins the events, which are JSON already. */
	private static byte[] json(List<NumberedEvent> events, long head) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes("{\"events\":[".getBytes(StandardCharsets.US_ASCII));
		for (int i = 0; i < events.size(); i++) {
			if (i > 0) {
				out.write(',');
			}
			out.writeBytes(events.get(i).json());
		}
		out.writeBytes(("],\"head\":" + head + "}").getBytes(StandardCharsets.US_ASCII));
		return out.toByteArray();
	}

}
