package io.parley.server.stomp;

import java.util.function.BooleanSupplier;

import io.parley.events.Destination;
import io.parley.server.delivery.UserEvents;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ExceptionTranslator;
import io.parley.server.limits.RateLimits;
import io.parley.server.session.ChatSession;
import io.parley.server.session.InboundExecutor;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.ExecutorChannelInterceptor;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.stereotype.Component;

/**
 * Intercepts every frame from clients before the inbound channel. CONNECT and SEND
 * continue into the channel if they are allowed. The other commands are handled here, in
 * the inbound queue of their session. A rejected frame is answered with an {@code error}
 * event and the session stays open. Only a rejected CONNECT ends the session.
 */
@Component
class InboundFrames implements ExecutorChannelInterceptor {

	private final InboundExecutor inbound;

	private final UserEvents userEvents;

	private final RateLimits rates;

	private final ConnectFrames connect;

	private final SubscribeFrames subscribe;

	private final UnsubscribeFrames unsubscribe;

	private final DisconnectFrames disconnect;

	InboundFrames(InboundExecutor inbound, UserEvents userEvents, RateLimits rates, ConnectFrames connect,
			SubscribeFrames subscribe, UnsubscribeFrames unsubscribe, DisconnectFrames disconnect) {
		this.inbound = inbound;
		this.userEvents = userEvents;
		this.rates = rates;
		this.connect = connect;
		this.subscribe = subscribe;
		this.unsubscribe = unsubscribe;
		this.disconnect = disconnect;
	}

	/**
	 * Handles a frame that does not enter the channel. Runs in the inbound queue of its
	 * session.
	 */
	interface Work {

		void handle(ChatSession session, StompHeaderAccessor frame);

	}

	@Override
	public @Nullable Message<?> preSend(Message<?> message, MessageChannel channel) {
		StompHeaderAccessor frame = MessageHeaderAccessor.getAccessor(message, StompHeaderAccessor.class);
		StompCommand command = (frame != null) ? frame.getCommand() : null;
		if (frame == null || command == null) {
			return null;
		}
		ChatSession session = ChatSession.of(message);
		if (session == null || session.ended()) {
			return (command == StompCommand.DISCONNECT) ? message : null;
		}
		if (session.isClosingOrExpired() && command != StompCommand.DISCONNECT) {
			return null;
		}
		if (command == StompCommand.CONNECT || command == StompCommand.STOMP) {
			FrameHeaders.check(frame);
			this.connect.handle(session, frame);
			return message;
		}
		return reportingErrors(session, frame, () -> accept(session, command, frame)) ? message : null;
	}

	/**
	 * Drops a SEND if the socket has closed or the sign-in has ended while the frame was
	 * queued: the session can no longer be answered. The client got no RECEIPT and sends
	 * the frame again.
	 */
	@Override
	public @Nullable Message<?> beforeHandle(Message<?> message, MessageChannel channel, MessageHandler handler) {
		boolean send = SimpMessageHeaderAccessor.getMessageType(message.getHeaders()) == SimpMessageType.MESSAGE;
		ChatSession session = ChatSession.of(message);
		return (send && session != null && (session.ended() || session.signedOut())) ? null : message;
	}

	/** Returns whether the frame continues into the channel. */
	private boolean accept(ChatSession session, StompCommand command, StompHeaderAccessor frame) {
		FrameHeaders.check(frame);
		return switch (command) {
			case SEND -> {
				checkSend(session, frame);
				yield true;
			}
			case SUBSCRIBE -> enqueue(session, frame, this.subscribe);
			case UNSUBSCRIBE -> enqueue(session, frame, this.unsubscribe);
			case DISCONNECT -> {
				this.disconnect.handle(session, frame);
				yield false;
			}
			default -> throw ErrorCode.BAD_FRAME
				.because(command + " is not supported: delivery is resumed by position, not by ACK.");
		};
	}

	/**
	 * Checks the destination of a SEND, and the rate of signals. Messages are checked
	 * when they are posted.
	 */
	private void checkSend(ChatSession session, StompHeaderAccessor frame) {
		switch (Destination.parse(frame.getDestination())) {
			case Destination.RoomAction action when action.action().isMessage() -> {
			}
			case Destination.RoomAction action when action.action() == Destination.Action.DELIVERED ->
				this.rates.takeDelivered(session.user());
			case Destination.RoomAction action -> this.rates.takeSignal(session.user());
			case Destination.TokenRefresh refresh -> this.rates.takeSignal(session.user());
			case Destination.OwnPresence presence -> this.rates.takeSignal(session.user());
			case null, default -> throw ErrorCode.BAD_DESTINATION
				.because("SEND goes to /app/rooms.<room>.send, .edit, .delete, .react, .typing, .read or .delivered, "
						+ "to /app/presence or to /app/token; nothing else is open to clients.");
		}
	}

	private boolean enqueue(ChatSession session, StompHeaderAccessor frame, Work work) {
		this.inbound.executor().execute(session.id(), () -> reportingErrors(session, frame, () -> {
			work.handle(session, frame);
			return true;
		}));
		return false;
	}

	private boolean reportingErrors(ChatSession session, StompHeaderAccessor frame, BooleanSupplier work) {
		try {
			return work.getAsBoolean();
		}
		catch (RuntimeException ex) {
			this.userEvents.sendError(session,
					ExceptionTranslator.ofFrame(ex, frame.getCommand() + " of session " + session.id()),
					frame.getDestination(), frame.getReceipt());
			return false;
		}
	}

}
