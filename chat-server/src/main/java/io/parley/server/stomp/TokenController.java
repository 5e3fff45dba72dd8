package io.parley.server.stomp;

import io.parley.server.account.Tokens;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import io.parley.server.refusal.Refusal;
import io.parley.server.session.ChatSession;
import io.parley.server.session.Outbound;

import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Controller;

/** {@code /app/token}: a fresh token keeps the live session alive. */
@Controller
class TokenController {

	private final Tokens tokens;

	private final Outbound outbound;

	private final StrictJson json;

	TokenController(Tokens tokens, Outbound outbound, StrictJson json) {
		this.tokens = tokens;
		this.outbound = outbound;
		this.json = json;
	}

	@MessageMapping("token")
	void refresh(@Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		Tokens.Identity identity = this.tokens.identify(token(body));
		if (!identity.user().equals(session.user())) {
			throw Refusal.UNAUTHORIZED.because("The token is another user's; open a new session for it.");
		}
		session.extend(identity.expiresAt());
		this.outbound.receipt(session, frame.getReceipt());
	}

	private String token(byte[] body) {
		JsonField token = this.json.read(body, Refusal.BAD_MESSAGE).get("accessToken");
		String string = (token != null) ? token.string() : null;
		if (string == null) {
			throw Refusal.BAD_MESSAGE.because("The body must be {\"accessToken\": \"…\"}.");
		}
		return string;
	}

}
