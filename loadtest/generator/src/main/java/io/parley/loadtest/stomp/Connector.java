package io.parley.loadtest.stomp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketClientHandshakeException;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.parley.loadtest.cli.Target;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.WebsocketClientSpec;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * Opens WebSocket connections, with one event loop for each core.
 */
public final class Connector implements AutoCloseable {

	private static final int CONNECT_MILLIS = 20_000;

	private static final int LARGEST_FRAME = 1024 * 1024;

	private static final WebsocketClientSpec WEBSOCKET = WebsocketClientSpec.builder()
		.protocols("v12.stomp")
		.maxFramePayloadLength(LARGEST_FRAME)
		.build();

	private final LoopResources loops = LoopResources.create("session", Runtime.getRuntime().availableProcessors(),
			true);

	private final HttpClient client;

	private final URI url;

	private final List<InetAddress> sources;

	private int opened;

	public Connector(Target target, int sessions) {
		this.url = URI.create("ws" + target.url.resolve("/ws").toString().substring("http".length()));
		this.sources = target.sources(sessions).stream().map(Target::source).toList();
		HttpClient plain = HttpClient.create(ConnectionProvider.newConnection())
			.runOn(this.loops)
			.resolver(DefaultAddressResolverGroup.INSTANCE)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
			.disableRetry(true);
		// Choose the port while connecting: choosing it earlier scans an ever longer
		// range of used ports.
		this.client = Epoll.isAvailable() ? plain.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true) : plain;
	}

	/**
	 * Starts to open the connection of this session. The session is notified of success
	 * or failure.
	 */
	public void open(StompChannel session) {
		bound().websocket(WEBSOCKET).uri(this.url).handle((in, out) -> {
			in.withConnection((connection) -> connection.addHandlerLast(session));
			return Mono.<Void>never();
		}).subscribe(null, (failure) -> failed(session, failure));
	}

	/**
	 * Returns a client that is bound to the next source address in turn, if there are
	 * source addresses.
	 */
	private synchronized HttpClient bound() {
		if (this.sources.isEmpty()) {
			return this.client;
		}
		InetAddress source = this.sources.get(this.opened++ % this.sources.size());
		return this.client.bindAddress(() -> new InetSocketAddress(source, 0));
	}

	@Override
	public void close() {
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

	private static void failed(StompChannel session, Throwable failure) {
		HttpResponse answer = (failure instanceof WebSocketClientHandshakeException rejected) ? rejected.response()
				: null;
		if (answer != null && answer.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
			session.turnedAway(answer.headers().getInt(HttpHeaderNames.RETRY_AFTER, 0));
		}
		else {
			session.fail(describe(failure));
		}
	}

	private static String describe(Throwable failure) {
		@Nullable String message = failure.getMessage();
		return "not connected: " + ((message != null) ? message : failure.getClass().getSimpleName());
	}

}
