package io.parley.server.stomp;

import io.parley.server.delivery.UserEvents;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ChatException;
import io.parley.server.error.StoreFailures;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.server.session.InboundExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * The front door: every frame of every client passes here first. CONNECT and SEND go on
 * into the channel when they are allowed; the others are handled in the lane of their
 * session. What is refused becomes an {@code error} event, and the session lives; only a
 * refused CONNECT ends it.
 */
@Component
class InboundFrames implements ExecutorChannelInterceptor {

	private static final Logger log = LoggerFactory.getLogger(InboundFrames.class);

	private final SessionRegistry sessions;

	private final InboundExecutor lanes;

	private final UserEvents userEvents;

	private final ConnectFrames connect;

	private final SendFrames send;

	private final SubscribeFrames subscribe;

	private final UnsubscribeFrames unsubscribe;

	private final DisconnectFrames disconnect;

	InboundFrames(SessionRegistry sessions, InboundExecutor lanes, UserEvents userEvents, ConnectFrames connect,
			SendFrames send, SubscribeFrames subscribe, UnsubscribeFrames unsubscribe, DisconnectFrames disconnect) {
		this.sessions = sessions;
		this.lanes = lanes;
		this.userEvents = userEvents;
		this.connect = connect;
		this.send = send;
		this.subscribe = subscribe;
		this.unsubscribe = unsubscribe;
		this.disconnect = disconnect;
	}

	/** What a frame that is not for the channel does, in the lane of its session. */
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
		ChatSession session = this.sessions.find(frame.getSessionId());
		if (session == null) {
			return (command == StompCommand.DISCONNECT) ? message : null;
		}
		if (session.isOver() && command != StompCommand.DISCONNECT) {
			return null;
		}
		if (command == StompCommand.CONNECT || command == StompCommand.STOMP) {
			FrameHeaders.check(frame);
			this.connect.handle(session, frame);
			return message;
		}
		return refusing(session, frame, () -> accept(session, command, frame)) ? message : null;
	}

	/**
	 * A SEND whose turn in its lane comes after the socket has gone is left out: nobody
	 * could be answered, and its client, which got no RECEIPT, sends it again.
	 */
	@Override
	public @Nullable Message<?> beforeHandle(Message<?> message, MessageChannel channel, MessageHandler handler) {
		boolean send = SimpMessageHeaderAccessor.getMessageType(message.getHeaders()) == SimpMessageType.MESSAGE;
		String session = SimpMessageHeaderAccessor.getSessionId(message.getHeaders());
		return (send && this.sessions.find(session) == null) ? null : message;
	}

	/** Whether the frame goes on into the channel. */
	private boolean accept(ChatSession session, StompCommand command, StompHeaderAccessor frame) {
		FrameHeaders.check(frame);
		return switch (command) {
			case SEND -> {
				this.send.check(session, frame);
				yield true;
			}
			case SUBSCRIBE -> inLane(session, frame, this.subscribe);
			case UNSUBSCRIBE -> inLane(session, frame, this.unsubscribe);
			case DISCONNECT -> {
				this.disconnect.handle(session, frame);
				yield false;
			}
			default -> throw ErrorCode.BAD_FRAME
				.because(command + " is not supported: delivery is resumed by position, not by ACK.");
		};
	}

	private boolean inLane(ChatSession session, StompHeaderAccessor frame, Work work) {
		this.lanes.lanes().execute(session.id(), () -> refusing(session, frame, () -> {
			work.handle(session, frame);
			return true;
		}));
		return false;
	}

	private static ChatException failure(ChatSession session, StompHeaderAccessor frame, RuntimeException ex) {
		if (StoreFailures.isConnectionFailure(ex)) {
			return StoreFailures.unavailable();
		}
		log.error("{} of session {} failed", frame.getCommand(), session.id(), ex);
		return ErrorCode.INTERNAL.because("The server failed to handle the frame.");
	}

	private boolean refusing(ChatSession session, StompHeaderAccessor frame, java.util.function.BooleanSupplier work) {
		try {
			return work.getAsBoolean();
		}
		catch (ChatException ex) {
			this.userEvents.refused(session, ex, frame.getDestination(), frame.getReceipt());
		}
		catch (RuntimeException ex) {
			this.userEvents.refused(session, failure(session, frame, ex), frame.getDestination(), frame.getReceipt());
		}
		return false;
	}

}
