package io.parley.loadtest.stomp;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.WebsocketServerSpec;

/**
 * A minimal STOMP server without receipts and positions, on a free port, with faults on
 * request. It handles a SEND before each SUBSCRIBE that preceded it.
 */
public final class PlainResponder implements AutoCloseable {

	private static final int FAULTY_MESSAGE = 3;

	/**
	 * Returns the received CONNECT frames.
	 */
	public final Queue<String> connects = new ConcurrentLinkedQueue<>();

	/**
	 * Returns the destinations of the received messages.
	 */
	public final Queue<String> destinations = new ConcurrentLinkedQueue<>();

	private final Map<String, Room> rooms = new ConcurrentHashMap<>();

	private final Fault fault;

	private final DisposableServer server;

	public PlainResponder(Fault fault) {
		this.fault = fault;
		this.server = HttpServer.create().host("127.0.0.1").port(0).route((routes) -> routes.ws("/ws", (in, out) -> {
			in.withConnection((connection) -> connection.addHandlerLast(new Frames()));
			return Mono.never();
		}, WebsocketServerSpec.builder().protocols("v12.stomp").build())).bindNow();
	}

	public URI url() {
		return URI.create("http://127.0.0.1:" + this.server.port());
	}

	@Override
	public void close() {
		this.server.disposeNow();
	}

	private Room room(String frame) {
		return this.rooms.computeIfAbsent(frame.split("rooms\\.")[1].split("[.\n]")[0], (id) -> new Room());
	}

	private static void write(Channel channel, String frame) {
		channel.writeAndFlush(new TextWebSocketFrame(frame + "\0"));
	}

	/**
	 * Handles the frames of one client.
	 */
	private final class Frames extends SimpleChannelInboundHandler<TextWebSocketFrame> {

		@Override
		public void handlerAdded(ChannelHandlerContext added) {
			added.channel().config().setAutoRead(true);
		}

		@Override
		protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame received) {
			String frame = received.text();
			Channel client = context.channel();
			switch (frame.lines().findFirst().orElse("")) {
				case "CONNECT" -> {
					PlainResponder.this.connects.add(frame);
					boolean refused = PlainResponder.this.fault == Fault.REFUSE;
					write(client,
							refused ? "ERROR\nmessage:go away\n\n" : "CONNECTED\nversion:1.2\nheart-beat:0,0\n\n");
				}
				case "SUBSCRIBE" -> room(frame).subscribe(client);
				case "SEND" -> {
					PlainResponder.this.destinations
						.add(frame.split("\ndestination:")[1].lines().findFirst().orElse(""));
					room(frame).send(frame.substring(frame.indexOf("\n\n") + 2).replace("\0", ""));
				}
				case "DISCONNECT" -> context.close();
				default -> {
				}
			}
		}

	}

	private final class Room {

		private final Set<Channel> overtaken = new LinkedHashSet<>();

		private final List<Channel> subscribers = new ArrayList<>();

		private int messages;

		synchronized void subscribe(Channel client) {
			this.overtaken.add(client);
		}

		synchronized void send(String body) {
			LoadMessage message = LoadMessage.parse(body.split("\"text\":\"")[1].split("\"")[0]);
			boolean faulty = message != null && message.isCounted() && ++this.messages == FAULTY_MESSAGE;
			String frame = "MESSAGE\ndestination:/topic/rooms.r\nsubscription:room\nmessage-id:1\n\n" + body;
			for (int n = 0; n < this.subscribers.size(); n++) {
				Channel subscriber = this.subscribers.get(n);
				switch ((faulty && n == 0) ? PlainResponder.this.fault : Fault.NONE) {
					case LOSE -> {
					}
					case DOUBLE -> {
						write(subscriber, frame);
						write(subscriber, frame);
					}
					case CLOSE -> subscriber.writeAndFlush(new CloseWebSocketFrame(1011, "told to"));
					default -> write(subscriber, frame);
				}
			}
			this.subscribers.addAll(this.overtaken);
			this.overtaken.clear();
		}

	}

}
