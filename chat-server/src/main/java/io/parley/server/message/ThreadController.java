package io.parley.server.message;

import java.io.IOException;
import java.security.Principal;
import java.util.List;

import io.parley.server.delivery.UserEvents.ThreadChanged;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.server.message.ReadController.ReadUpTo;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.HistoryProperties;
import io.parley.server.timeline.MessageViews.MessageView;
import io.parley.server.timeline.RoomHeadReader;
import io.parley.server.timeline.ThreadPages;
import io.parley.store.event.RoomPosition;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Threads: {@code /api/rooms/{room}/threads/{root}}, where the root is the position of a
 * message, and {@code GET /api/me/threads}.
 */
@RestController
class ThreadController {

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LISTED = 100;

	private final ThreadService threads;

	private final ThreadReplies replies;

	private final ThreadPages pages;

	private final RoomHeadReader heads;

	private final RoomAccess access;

	private final PageLimits limits;

	private final RateLimits rates;

	private final int maxLimit;

	ThreadController(ThreadService threads, ThreadReplies replies, ThreadPages pages, RoomHeadReader heads,
			RoomAccess access, PageLimits limits, RateLimits rates, HistoryProperties properties) {
		this.threads = threads;
		this.replies = replies;
		this.pages = pages;
		this.heads = heads;
		this.access = access;
		this.limits = limits;
		this.rates = rates;
		this.maxLimit = properties.page();
	}

	record FollowedThreads(List<ThreadService.Followed> threads) {
	}

	@GetMapping("/api/me/threads")
	FollowedThreads followed(@RequestParam @Nullable Integer limit, Principal user) {
		return new FollowedThreads(this.threads.followedBy(user.getName(), limit(limit, MAX_LISTED)));
	}

	@GetMapping(path = "/api/rooms/{room}/threads/{root}/messages", produces = MediaType.APPLICATION_JSON_VALUE)
	void page(@PathVariable String room, @PathVariable long root, @RequestParam @Nullable Long before,
			@RequestParam @Nullable Long after, @RequestParam @Nullable Integer limit, Principal user,
			HttpServletResponse response) throws IOException {
		if (before != null && after != null) {
			throw ErrorCode.BAD_REQUEST.because("Give only one of 'before' and 'after'.");
		}
		if ((before != null && before <= 0) || (after != null && after < 0)) {
			throw ErrorCode.BAD_POSITION.because("'after' must be at least 0, and 'before' at least 1.");
		}
		int count = limit(limit, this.maxLimit);
		this.access.require(RoomAction.READ, room, user.getName());
		this.limits.page(user.getName(), () -> page(new RoomPosition(room, root), user.getName(), before, after, count),
				response);
	}

	private byte[] page(RoomPosition root, String user, @Nullable Long before, @Nullable Long after, int count) {
		this.replies.requireRoot(root.room(), root.position());
		// First, so that the messages have all changes up to this position.
		long asOf = this.heads.position(root.room());
		List<MessageView> messages = (after != null) ? this.pages.after(root, user, after, count)
				: this.pages.before(root, user, (before != null) ? before : Long.MAX_VALUE, count);
		ThreadChanged standing = this.threads.standing(root, user);
		return new JsonPage().array("messages", messages.stream().map(MessageView::json).toList())
			.value("root", this.pages.root(root, user).json())
			.value("following", standing.following())
			.value("unread", standing.unread())
			.value("read", standing.read())
			.value("asOf", asOf)
			.end();
	}

	@PutMapping("/api/rooms/{room}/threads/{root}/read")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void read(@PathVariable String room, @PathVariable long root, @Valid @RequestBody ReadUpTo read, Principal user) {
		this.rates.takeSignal(user.getName());
		this.threads.read(new RoomPosition(room, root), user.getName(), read.exact());
	}

	@PutMapping("/api/rooms/{room}/threads/{root}/follow")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void follow(@PathVariable String room, @PathVariable long root, Principal user) {
		this.rates.takeSignal(user.getName());
		this.threads.follow(new RoomPosition(room, root), user.getName(), true);
	}

	@DeleteMapping("/api/rooms/{room}/threads/{root}/follow")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void unfollow(@PathVariable String room, @PathVariable long root, Principal user) {
		this.rates.takeSignal(user.getName());
		this.threads.follow(new RoomPosition(room, root), user.getName(), false);
	}

	private static int limit(@Nullable Integer limit, int max) {
		if (limit != null && limit < 1) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be at least 1.");
		}
		return Math.min((limit != null) ? limit : DEFAULT_LIMIT, max);
	}

}
