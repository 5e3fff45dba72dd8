package io.parley.server.message;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.server.database.Database;
import io.parley.server.error.ErrorCode;
import io.parley.server.timeline.HistoryProperties;
import io.parley.server.timeline.MentionPages;
import io.parley.server.timeline.PositionedEvent;
import io.parley.store.event.RoomPosition;
import io.parley.store.mention.UserMention;
import io.parley.store.room.MemberRepository;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the messages that mention the user: {@code GET /api/me/mentions}. */
@RestController
class MentionController {

	private static final int DEFAULT_LIMIT = 50;

	/** Time, position and room of the last mention of a page. */
	private static final Pattern CURSOR = Pattern.compile("(\\d{1,15})-(\\d{1,16})-([A-Za-z0-9_-]{1,64})");

	private final MentionPages pages;

	private final MemberRepository members;

	private final Database database;

	private final PageLimits limits;

	private final int maxLimit;

	MentionController(MentionPages pages, MemberRepository members, Database database, PageLimits limits,
			HistoryProperties properties) {
		this.pages = pages;
		this.members = members;
		this.database = database;
		this.limits = limits;
		this.maxLimit = properties.page();
	}

	@GetMapping(path = "/api/me/mentions", produces = MediaType.APPLICATION_JSON_VALUE)
	void page(@RequestParam @Nullable String before, @RequestParam @Nullable Integer limit, Principal user,
			HttpServletResponse response) throws IOException {
		if (limit != null && limit < 1) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be at least 1.");
		}
		int count = Math.min((limit != null) ? limit : DEFAULT_LIMIT, this.maxLimit);
		UserMention last = (before != null) ? parse(before) : null;
		this.limits.page(user.getName(), () -> page(user.getName(), last, count), response);
	}

	private byte[] page(String user, @Nullable UserMention before, int count) {
		List<String> rooms = this.database.query(() -> this.members.roomIdsOf(user));
		MentionPages.Page page = this.pages.of(user, rooms, before, count);
		return new JsonPage().array("mentions", page.messages().stream().map(PositionedEvent::json).toList())
			.value("next", next(page.last()).getBytes(StandardCharsets.US_ASCII))
			.end();
	}

	private static String next(@Nullable UserMention last) {
		return (last != null)
				? "\"" + last.at().toEpochMilli() + "-" + last.message().position() + "-" + last.message().room() + "\""
				: "null";
	}

	private static UserMention parse(String cursor) {
		Matcher matcher = CURSOR.matcher(cursor);
		if (matcher.matches()) {
			try {
				return new UserMention(new RoomPosition(matcher.group(3), Long.parseLong(matcher.group(2))),
						Instant.ofEpochMilli(Long.parseLong(matcher.group(1))));
			}
			catch (DateTimeException ex) {
				// Refused below.
			}
		}
		throw ErrorCode.BAD_REQUEST.because("'before' must be the 'next' of the previous page.");
	}

}
