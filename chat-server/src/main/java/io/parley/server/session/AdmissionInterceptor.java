package io.parley.server.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import io.github.bucket4j.Bucket;
import io.parley.server.broker.BrokerAvailability;
import io.parley.server.refusal.Refusal;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;

/**
 * Lets in as many sessions as the server holds and no faster than it can serve them. The
 * rest is told when to come again, before it costs a socket.
 */
@Component
public class AdmissionInterceptor implements HandshakeInterceptor {

	private final ChatSessions sessions;

	private final LimitProperties limits;

	private final SessionShutdown shutdown;

	private final BrokerAvailability broker;

	private final @Nullable Bucket connects;

	AdmissionInterceptor(ChatSessions sessions, LimitProperties limits, SessionShutdown shutdown,
			BrokerAvailability broker) {
		this.sessions = sessions;
		this.limits = limits;
		this.shutdown = shutdown;
		this.broker = broker;
		int rate = limits.connectsPerSecond();
		this.connects = (rate > 0) ? Bucket.builder()
			.addLimit((limit) -> limit.capacity(rate).refillGreedy(rate, Duration.ofSeconds(1)))
			.build() : null;
	}

	@Override
	public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			Map<String, Object> attributes) throws IOException {
		if (!this.shutdown.isRunning()) {
			return refuse(response, 5, "The server is starting or stopping.");
		}
		if (!this.broker.isAvailable()) {
			return refuse(response, 5, "The message broker is away.");
		}
		if (LimitProperties.exceeds(this.sessions.count() + 1, this.limits.sessions())) {
			return refuse(response, 10, "The server is full.");
		}
		if (this.connects != null && !this.connects.tryConsume(1)) {
			return refuse(response, 1, "Too many connections at once.");
		}
		return true;
	}

	private static boolean refuse(ServerHttpResponse response, int retryAfterSeconds, String detail)
			throws IOException {
		response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
		response.getHeaders().set(HttpHeaders.RETRY_AFTER, String.valueOf(retryAfterSeconds));
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		response.getBody()
			.write("""
					{"title":"Service Unavailable","status":503,"code":"%s","detail":"%s Try again in %d s."}"""
				.formatted(Refusal.SERVER_BUSY.code(), detail, retryAfterSeconds)
				.getBytes(StandardCharsets.UTF_8));
		return false;
	}

	@Override
	public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			@Nullable Exception exception) {
	}

}
