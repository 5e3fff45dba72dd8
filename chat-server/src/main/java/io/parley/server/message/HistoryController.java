package io.parley.server.message;

import java.io.IOException;
import java.security.Principal;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.parley.server.error.ErrorCode;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.HistoryPages;
import io.parley.server.timeline.HistoryProperties;
import io.parley.server.timeline.MessageViews;
import io.parley.server.timeline.MessageViews.MessageView;
import io.parley.server.timeline.NumberedEvent;
import io.parley.server.timeline.RoomHeadReader;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Returns pages of history, forwards and backwards: {@code GET /api/rooms/{id}/messages},
 * and the pinned messages: {@code GET /api/rooms/{id}/pins}.
 */
@RestController
class HistoryController {

	private static final int DEFAULT_LIMIT = 50;

	private final RoomHeadReader heads;

	private final HistoryPages pages;

	private final MessageViews views;

	private final RoomAccess access;

	private final PageLimits limits;

	private final int maxLimit;

	HistoryController(RoomHeadReader heads, HistoryPages pages, MessageViews views, RoomAccess access,
			HistoryProperties properties, PageLimits limits) {
		this.limits = limits;
		this.heads = heads;
		this.pages = pages;
		this.views = views;
		this.access = access;
		this.maxLimit = properties.page();
	}

	@GetMapping(path = "/api/rooms/{room}/messages", produces = MediaType.APPLICATION_JSON_VALUE)
	void page(@PathVariable String room, @RequestParam @Nullable Long before, @RequestParam @Nullable Long after,
			@RequestParam @Nullable Long changedAfter, @RequestParam @Nullable String view,
			@RequestParam @Nullable Integer limit, Principal user, HttpServletResponse response) throws IOException {
		if (view != null && !view.equals("messages")) {
			throw ErrorCode.BAD_REQUEST.because("'view' must be 'messages', or absent.");
		}
		if (changedAfter != null && view == null) {
			throw ErrorCode.BAD_REQUEST.because("'changedAfter' requires 'view=messages'.");
		}
		if (Stream.of(before, after, changedAfter).filter(Objects::nonNull).count() > 1) {
			throw ErrorCode.BAD_REQUEST.because("Give only one of 'before', 'after' and 'changedAfter'.");
		}
		if (limit != null && limit < 1) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be at least 1.");
		}
		if ((before != null && before <= 0) || (after != null && after < 0)
				|| (changedAfter != null && changedAfter < 0)) {
			throw ErrorCode.BAD_POSITION
				.because("'after' and 'changedAfter' must be at least 0, and 'before' at least 1.");
		}
		this.access.require(RoomAction.READ, room, user.getName());
		int count = Math.min((limit != null) ? limit : DEFAULT_LIMIT, this.maxLimit);
		this.limits.page(user.getName(), () -> (view != null)
				? readView(room, user.getName(), before, after, changedAfter, count) : read(room, before, after, count),
				response);
	}

	@GetMapping(path = "/api/rooms/{room}/pins", produces = MediaType.APPLICATION_JSON_VALUE)
	void pins(@PathVariable String room, Principal user, HttpServletResponse response) throws IOException {
		this.access.require(RoomAction.READ, room, user.getName());
		this.limits.page(user.getName(), () -> view(room, () -> this.views.pinned(room, user.getName())), response);
	}

	private byte[] read(String room, @Nullable Long before, @Nullable Long after, int count) {
		List<NumberedEvent> events = (after != null) ? this.pages.after(room, after, count)
				: this.pages.before(room, (before != null) ? before : Long.MAX_VALUE, count);
		return new JsonPage().array("events", events.stream().map(NumberedEvent::json).toList())
			.value("head", this.heads.position(room))
			.end();
	}

	private byte[] readView(String room, String user, @Nullable Long before, @Nullable Long after,
			@Nullable Long changedAfter, int count) {
		return view(room, () -> {
			if (changedAfter != null) {
				return this.views.changedAfter(room, user, changedAfter, count);
			}
			return (after != null) ? this.views.after(room, user, after, count)
					: this.views.before(room, user, (before != null) ? before : Long.MAX_VALUE, count);
		});
	}

	private byte[] view(String room, Supplier<List<MessageView>> messages) {
		// First, so that the messages have all changes up to this position.
		long asOf = this.heads.position(room);
		return new JsonPage().array("messages", messages.get().stream().map(MessageView::json).toList())
			.value("asOf", asOf)
			.end();
	}

}
