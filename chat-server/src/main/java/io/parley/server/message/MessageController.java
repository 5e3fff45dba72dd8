package io.parley.server.message;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.error.ExceptionTranslator;
import io.parley.server.metrics.Histograms;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;

import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Controller;

/**
 * Handles {@code /app/rooms.{room}.send}, {@code .edit}, {@code .delete}, {@code .react}
 * and {@code .pin}. The RECEIPT follows the durable append.
 */
@Controller
class MessageController {

	private final MessagePoster poster;

	private final OutboundFrames outbound;

	private final UserEvents userEvents;

	private final Timer accepted;

	MessageController(MessagePoster poster, OutboundFrames outbound, UserEvents userEvents, MeterRegistry meters) {
		this.poster = poster;
		this.outbound = outbound;
		this.userEvents = userEvents;
		this.accepted = Histograms
			.timer("chat.frames.accepted", "Time from the handling of a frame to its RECEIPT, if it was accepted")
			.register(meters);
	}

	@MessageMapping("rooms.{room}.send")
	void send(@DestinationVariable String room, @Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		answer(session, frame, () -> this.poster.post(room, session.user(), null, body));
	}

	@MessageMapping("rooms.{room}.edit")
	void edit(@DestinationVariable String room, @Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		answer(session, frame, () -> this.poster.edit(room, session.user(), null, body));
	}

	@MessageMapping("rooms.{room}.delete")
	void delete(@DestinationVariable String room, @Payload byte[] body, ChatSession session,
			StompHeaderAccessor frame) {
		answer(session, frame, () -> this.poster.delete(room, session.user(), null, body));
	}

	@MessageMapping("rooms.{room}.react")
	void react(@DestinationVariable String room, @Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		answer(session, frame, () -> this.poster.react(room, session.user(), body));
	}

	@MessageMapping("rooms.{room}.pin")
	void pin(@DestinationVariable String room, @Payload byte[] body, ChatSession session, StompHeaderAccessor frame) {
		answer(session, frame, () -> this.poster.pin(room, session.user(), body, PinDraft::of));
	}

	private void answer(ChatSession session, StompHeaderAccessor frame, Supplier<CompletableFuture<Accepted>> message) {
		// Read now, because Spring clears the headers for a moment when this method
		// returns.
		String receipt = frame.getReceipt();
		String destination = frame.getDestination();
		Timer.Sample started = Timer.start();
		session.trackAppend(message.get().whenComplete((place, failure) -> {
			if (failure == null) {
				started.stop(this.accepted);
				this.outbound.receipt(session, receipt);
			}
			else {
				this.userEvents.sendError(session, ExceptionTranslator.ofMessage(failure), destination, receipt);
			}
		}));
	}

}
