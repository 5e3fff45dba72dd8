package io.parley.server.presence;

import java.security.Principal;

import io.parley.server.database.Database;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import io.parley.server.limits.RateLimits;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;
import io.parley.server.session.SessionRegistry;
import io.parley.store.presence.LastSeenRepository;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * Handles {@code /app/presence}, which says that a user is away, and
 * {@code /api/me/presence}, which hides when the user was last seen.
 */
@Controller
class PresenceController {

	private final SessionRegistry sessions;

	private final LastSeen lastSeen;

	private final LastSeenRepository stored;

	private final Database database;

	private final RateLimits rates;

	private final OutboundFrames outbound;

	private final StrictJson json;

	PresenceController(SessionRegistry sessions, LastSeen lastSeen, LastSeenRepository stored, Database database,
			RateLimits rates, OutboundFrames outbound, StrictJson json) {
		this.sessions = sessions;
		this.lastSeen = lastSeen;
		this.stored = stored;
		this.database = database;
		this.rates = rates;
		this.outbound = outbound;
		this.json = json;
	}

	/** The body of a request. */
	record NewSettings(@NotNull Boolean hideLastSeen) {
	}

	/**
	 * The settings of a user.
	 *
	 * @param lastSeen whether this server shows when users were last seen
	 * @param hideLastSeen whether the user hides it, and does not see that of others
	 */
	record Settings(boolean lastSeen, boolean hideLastSeen) {
	}

	@MessageMapping("presence")
	void presence(@Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		this.sessions.setAway(session, away(body));
		this.outbound.receipt(session, frame.getReceipt());
	}

	private boolean away(byte[] body) {
		JsonField field = this.json.read(body, ErrorCode.BAD_MESSAGE).get("away");
		Boolean away = (field != null) ? field.bool() : null;
		if (away == null) {
			throw ErrorCode.BAD_MESSAGE.because("The body must be {\"away\": true} or {\"away\": false}.");
		}
		return away;
	}

	@GetMapping("/api/me/presence")
	@ResponseBody
	Settings settings(Principal user) {
		return new Settings(this.lastSeen.isEnabled(), this.database.query(() -> this.stored.isHidden(user.getName())));
	}

	@PutMapping("/api/me/presence")
	@ResponseBody
	Settings change(@Valid @RequestBody NewSettings settings, Principal user) {
		this.rates.takeSignal(user.getName());
		this.database.query(() -> {
			this.stored.hide(user.getName(), settings.hideLastSeen());
			return true;
		});
		return new Settings(this.lastSeen.isEnabled(), settings.hideLastSeen());
	}

}
