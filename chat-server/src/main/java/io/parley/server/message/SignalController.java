package io.parley.server.message;

import io.parley.server.account.AccountStateCache;
import io.parley.server.delivery.RoomSignals;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;

import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Controller;

/**
 * Handles {@code /app/rooms.{room}.typing}, {@code .read} and {@code .delivered}. Signals
 * are not written to the log.
 */
@Controller
class SignalController {

	private final AccountStateCache accounts;

	private final RoomAccess access;

	private final RoomSignals signals;

	private final ReadMarkerService readMarkers;

	private final DeliveredService delivered;

	private final OutboundFrames outbound;

	private final StrictJson json;

	SignalController(AccountStateCache accounts, RoomAccess access, RoomSignals signals, ReadMarkerService readMarkers,
			DeliveredService delivered, OutboundFrames outbound, StrictJson json) {
		this.accounts = accounts;
		this.access = access;
		this.signals = signals;
		this.readMarkers = readMarkers;
		this.delivered = delivered;
		this.outbound = outbound;
		this.json = json;
	}

	@MessageMapping("rooms.{room}.typing")
	void typing(@DestinationVariable String room, ChatSession session, StompHeaderAccessor frame) {
		this.accounts.requireMayWrite(session.user());
		this.access.require(RoomAction.TYPE, room, session.user());
		this.signals.typing(room, session.user());
		this.outbound.receipt(session, frame.getReceipt());
	}

	@MessageMapping("rooms.{room}.read")
	void read(@DestinationVariable String room, @Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		this.accounts.requireMayWrite(session.user());
		this.readMarkers.read(room, session.user(), position(body));
		this.outbound.receipt(session, frame.getReceipt());
	}

	@MessageMapping("rooms.{room}.delivered")
	void delivered(@DestinationVariable String room, @Payload byte[] body, ChatSession session,
			StompHeaderAccessor frame) {
		this.accounts.requireMayWrite(session.user());
		this.delivered.deliver(room, session.user(), position(body));
		this.outbound.receipt(session, frame.getReceipt());
	}

	private long position(byte[] body) {
		JsonField position = this.json.read(body, ErrorCode.BAD_MESSAGE).get("position");
		try {
			if (position != null) {
				return Long.parseLong(position.raw());
			}
		}
		catch (NumberFormatException ex) {
			// Refused below.
		}
		throw ErrorCode.BAD_POSITION.because("The body must be {\"position\": <number>}.");
	}

}
