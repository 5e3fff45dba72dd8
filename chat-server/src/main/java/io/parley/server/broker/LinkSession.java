package io.parley.server.broker;

import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompFrameHandler;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.util.MimeTypeUtils;

/** One connection of a {@link BrokerLink}, from CONNECTED until it is lost. */
final class LinkSession {

	private final StompSession stomp;

	private final BrokerDialect dialect;

	private final @Nullable LinkEcho echo;

	private final AtomicLong receipts = new AtomicLong();

	private final CompletableFuture<Void> lost = new CompletableFuture<>();

	LinkSession(StompSession stomp, BrokerDialect dialect) {
		this.stomp = stomp;
		this.dialect = dialect;
		this.echo = dialect.receiptsOfSend() ? null : new LinkEcho(stomp, dialect);
	}

	/** What waits for an answer of this connection waits no longer. */
	void lost(Throwable cause) {
		this.lost.completeExceptionally(new BrokerAwayException("The connection to the broker was lost", cause));
	}

	/**
	 * An answer to the last one tells that the broker has those before it too.
	 * @param messages at least one
	 */
	void publish(List<BrokerMessage> messages, long timeoutMillis) {
		try {
			for (BrokerMessage message : messages.subList(0, messages.size() - 1)) {
				this.stomp.send(headers(message), message.json());
			}
			CompletableFuture<Void> taken = sendLast(messages.getLast(), timeoutMillis);
			CompletableFuture.anyOf(taken, this.lost).get(timeoutMillis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new BrokerAwayException("Interrupted while the broker was asked", ex);
		}
		catch (ExecutionException | TimeoutException | RuntimeException ex) {
			throw new BrokerAwayException("The broker has not confirmed what was published", ex);
		}
	}

	private CompletableFuture<Void> sendLast(BrokerMessage message, long timeoutMillis) {
		StompHeaders headers = headers(message);
		if (this.echo != null) {
			this.stomp.send(headers, message.json());
			return this.echo.request(timeoutMillis);
		}
		headers.setReceipt(nextReceipt());
		return answer(this.stomp.send(headers, message.json()));
	}

	void offer(BrokerMessage message) {
		try {
			this.stomp.send(headers(message), message.json());
		}
		catch (RuntimeException ex) {
			// it may be lost
		}
	}

	private StompHeaders headers(BrokerMessage message) {
		StompHeaders headers = new StompHeaders();
		headers.setDestination(message.topic());
		headers.setContentType(MimeTypeUtils.APPLICATION_JSON);
		if (message.position() > 0) {
			headers.set(BrokerMessage.POSITION, String.valueOf(message.position()));
			headers.set(BrokerMessage.PREV, String.valueOf(message.prev()));
		}
		this.dialect.send().forEach(headers::set);
		return headers;
	}

	@Nullable LinkSubscription subscribe(String topic, Consumer<BrokerMessage> messages) {
		StompHeaders headers = new StompHeaders();
		headers.setDestination(topic);
		headers.setReceipt(nextReceipt());
		this.dialect.subscribe().forEach(headers::set);
		try {
			StompSession.Subscription subscription = this.stomp.subscribe(headers, new Frames(topic, messages));
			return new LinkSubscription(subscription, answer(subscription));
		}
		catch (RuntimeException ex) {
			// the connection is just being lost
			return null;
		}
	}

	private CompletableFuture<Void> answer(StompSession.Receiptable frame) {
		CompletableFuture<Void> answer = new CompletableFuture<>();
		if (frame.getReceiptId() == null) {
			answer.complete(null);
			return answer;
		}
		frame.addReceiptTask(() -> answer.complete(null));
		frame.addReceiptLostTask(
				() -> answer.completeExceptionally(new BrokerAwayException("The broker sends no receipt")));
		return answer;
	}

	private String nextReceipt() {
		return "r" + this.receipts.incrementAndGet();
	}

	void disconnect() {
		try {
			this.stomp.disconnect();
		}
		catch (RuntimeException ex) {
			// it is gone already
		}
	}

	private record Frames(String topic, Consumer<BrokerMessage> messages) implements StompFrameHandler {

		@Override
		public Type getPayloadType(StompHeaders headers) {
			return byte[].class;
		}

		@Override
		public void handleFrame(StompHeaders headers, @Nullable Object payload) {
			if (payload instanceof byte[] json) {
				this.messages.accept(BrokerMessage.of(this.topic, headers.getFirst(BrokerMessage.POSITION),
						headers.getFirst(BrokerMessage.PREV), json));
			}
		}

	}

}
