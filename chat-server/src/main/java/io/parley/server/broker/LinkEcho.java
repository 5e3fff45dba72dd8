package io.parley.server.broker;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompFrameHandler;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;

/**
 * Confirms that the broker has received what was sent, where receipts of SEND cannot be
 * used. A broker handles the frames of a connection in order, so when the last frame
 * returns, the broker has received the earlier ones too.
 */
final class LinkEcho implements StompFrameHandler {

	private final StompSession stomp;

	private final BrokerDialect dialect;

	/** No other connection subscribes to this topic. */
	private final String topic = "/topic/parley.echo." + UUID.randomUUID();

	private final AtomicLong numbers = new AtomicLong();

	private final Map<String, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();

	LinkEcho(StompSession stomp, BrokerDialect dialect) {
		this.stomp = stomp;
		this.dialect = dialect;
		StompHeaders headers = new StompHeaders();
		headers.setDestination(this.topic);
		dialect.subscribe().forEach(headers::set);
		stomp.subscribe(headers, this);
	}

	/**
	 * Sends an echo. The future completes when the broker has received everything that
	 * the calling thread has sent, and fails if the echo does not return in time.
	 */
	CompletableFuture<Void> request(long timeoutMillis) {
		String number = String.valueOf(this.numbers.incrementAndGet());
		CompletableFuture<Void> answer = new CompletableFuture<Void>().orTimeout(timeoutMillis, TimeUnit.MILLISECONDS);
		this.pending.put(number, answer);
		answer.whenComplete((nothing, failure) -> this.pending.remove(number));
		StompHeaders headers = new StompHeaders();
		headers.setDestination(this.topic);
		this.dialect.send().forEach(headers::set);
		this.stomp.send(headers, number.getBytes(StandardCharsets.US_ASCII));
		return answer;
	}

	@Override
	public Type getPayloadType(StompHeaders headers) {
		return byte[].class;
	}

	@Override
	public void handleFrame(StompHeaders headers, @Nullable Object payload) {
		if (payload instanceof byte[] number) {
			CompletableFuture<Void> answer = this.pending.get(new String(number, StandardCharsets.US_ASCII));
			if (answer != null) {
				answer.complete(null);
			}
		}
	}

}
