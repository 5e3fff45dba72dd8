package io.parley.server.stomp;

import io.parley.server.account.Tokens;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;

import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Controller;

/** Handles {@code /app/token}: a fresh token extends the live session. */
@Controller
class TokenController {

	private final Tokens tokens;

	private final OutboundFrames outbound;

	private final StrictJson json;

	TokenController(Tokens tokens, OutboundFrames outbound, StrictJson json) {
		this.tokens = tokens;
		this.outbound = outbound;
		this.json = json;
	}

	@MessageMapping("token")
	void refresh(@Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		Tokens.Identity identity = this.tokens.identify(token(body));
		if (!identity.user().equals(session.user())) {
			throw ErrorCode.UNAUTHORIZED.because("The token is another user's; open a new session for it.");
		}
		session.extend(identity.signIn(), identity.expiresAt());
		if (this.tokens.hasEnded(identity)) {
			session.signOut();
		}
		this.outbound.receipt(session, frame.getReceipt());
	}

	private String token(byte[] body) {
		JsonField token = this.json.read(body, ErrorCode.BAD_MESSAGE).get("accessToken");
		String string = (token != null) ? token.string() : null;
		if (string == null) {
			throw ErrorCode.BAD_MESSAGE.because("The body must be {\"accessToken\": \"…\"}.");
		}
		return string;
	}

}
