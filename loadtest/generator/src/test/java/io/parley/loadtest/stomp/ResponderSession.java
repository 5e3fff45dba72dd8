package io.parley.loadtest.stomp;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompEncoder;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageHeaderAccessor;

/**
 * One connection of the {@link StompResponder}.
 */
final class ResponderSession extends ChannelInboundHandlerAdapter {

	private static final StompEncoder ENCODER = new StompEncoder();

	private final StompResponder responder;

	private final FrameReader reader = new FrameReader();

	private @Nullable ChannelHandlerContext context;

	private @Nullable ResponderRoom room;

	private byte @Nullable [] held;

	ResponderSession(StompResponder responder) {
		this.responder = responder;
	}

	void message(Map<String, String> headers, String json) {
		Map<String, String> all = new HashMap<>(headers);
		all.putAll(Map.of("destination", "/topic/rooms.r", "subscription", "room", "message-id", "1"));
		write(StompCommand.MESSAGE, all, json);
	}

	void messageAfterNext(Map<String, String> headers, String json) {
		ChannelHandlerContext current = Objects.requireNonNull(this.context);
		byte[] frame = encode(StompCommand.MESSAGE, headers, json);
		current.executor().execute(() -> this.held = frame);
	}

	void close() {
		ChannelHandlerContext current = Objects.requireNonNull(this.context);
		current.executor().execute(() -> current.writeAndFlush(new CloseWebSocketFrame(1011, "told to")));
	}

	@Override
	public void handlerAdded(ChannelHandlerContext added) {
		this.context = added;
		added.channel().config().setAutoRead(true);
	}

	@Override
	public void channelRead(ChannelHandlerContext from, Object received) {
		if (received instanceof TextWebSocketFrame text) {
			this.reader.read(text.content().nioBuffer()).forEach(this::handle);
			text.release();
		}
		else {
			from.fireChannelRead(received);
		}
	}

	@Override
	public void channelInactive(ChannelHandlerContext closed) {
		if (this.room != null) {
			this.room.unsubscribe(this);
		}
		this.responder.free();
		closed.fireChannelInactive();
	}

	private void handle(Message<byte[]> frame) {
		StompHeaderAccessor headers = Objects
			.requireNonNull(MessageHeaderAccessor.getAccessor(frame, StompHeaderAccessor.class));
		if (headers.getCommand() == null) {
			this.responder.heartBeats.incrementAndGet();
			return;
		}
		boolean confirm = switch (headers.getCommand()) {
			case CONNECT -> {
				connect(headers);
				yield false;
			}
			case SUBSCRIBE -> {
				subscribe(headers);
				yield !this.responder.is(Fault.CLOSE_EARLY);
			}
			case DISCONNECT -> !this.responder.is(Fault.KEEP_GOODBYE);
			case SEND -> {
				this.responder.sends.incrementAndGet();
				JsonNode message = JsonMapper.shared().readTree(frame.getPayload());
				this.responder.senders.add(this);
				this.responder.texts.add(message.path("text").asString());
				yield this.responder.room(Objects.requireNonNull(headers.getDestination()))
					.publish(message.path("clientId").asString(), message.path("text").asString());
			}
			default -> true;
		};
		if (confirm && headers.getReceipt() != null) {
			write(StompCommand.RECEIPT, Map.of("receipt-id", headers.getReceipt()), "");
		}
	}

	private void subscribe(StompHeaderAccessor headers) {
		if (this.responder.is(Fault.CLOSE_EARLY)) {
			close();
			return;
		}
		String destination = Objects.requireNonNull(headers.getDestination());
		if (!destination.startsWith("/user/")) {
			String after = headers.getFirstNativeHeader("after");
			this.room = this.responder.room(destination);
			this.room.subscribe(this, (after != null) ? Long.parseLong(after) : Long.MAX_VALUE);
		}
	}

	private void connect(StompHeaderAccessor headers) {
		String token = headers.getFirstNativeHeader("Authorization");
		if (this.responder.is(Fault.REFUSE) || token == null || !token.startsWith("Bearer token-")) {
			write(StompCommand.ERROR, Map.of("message", "bad token"), "");
			close();
			return;
		}
		write(StompCommand.CONNECTED,
				Map.of("version", "1.2", "heart-beat", this.responder.heartBeat(), "user-name", "u"), "");
	}

	private void write(StompCommand command, Map<String, String> headers, String body) {
		ChannelHandlerContext current = Objects.requireNonNull(this.context);
		byte[] frame = encode(command, headers, body);
		current.executor().execute(() -> {
			current.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(frame)));
			byte[] late = this.held;
			if (late != null && command == StompCommand.MESSAGE) {
				this.held = null;
				current.writeAndFlush(new TextWebSocketFrame(Unpooled.wrappedBuffer(late)));
			}
		});
	}

	private static byte[] encode(StompCommand command, Map<String, String> headers, String body) {
		StompHeaderAccessor accessor = StompHeaderAccessor.create(command);
		headers.forEach(accessor::setNativeHeader);
		return ENCODER.encode(accessor.getMessageHeaders(), body.getBytes(StandardCharsets.UTF_8));
	}

}
