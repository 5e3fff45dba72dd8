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
		this.echo = dialect.supportsSendReceipts() ? null : new LinkEcho(stomp, dialect);
	}

	/** Fails all callers that wait for an answer on this connection. */
	void lost(Throwable cause) {
		this.lost.completeExceptionally(new BrokerAwayException("The connection to the broker was lost", cause));
	}

	/**
	 * Publishes messages and waits for the confirmation of the last one, which means that
	 * the broker has received the earlier ones too.
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
			throw new BrokerAwayException("Interrupted while waiting for the broker", ex);
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
		return receiptOf(this.stomp.send(headers, message.json()));
	}

	void offer(BrokerMessage message) {
		try {
			this.stomp.send(headers(message), message.json());
		}
		catch (RuntimeException ex) {
			// the message may be lost
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
			return new LinkSubscription(subscription, receiptOf(subscription));
		}
		catch (RuntimeException ex) {
			// the connection has just been lost
			return null;
		}
	}

	private CompletableFuture<Void> receiptOf(StompSession.Receiptable frame) {
		CompletableFuture<Void> answer = new CompletableFuture<>();
		if (frame.getReceiptId() == null) {
			answer.complete(null);
			return answer;
		}
		frame.addReceiptTask(() -> answer.complete(null));
		frame.addReceiptLostTask(
				() -> answer.completeExceptionally(new BrokerAwayException("The broker has not sent a receipt")));
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
			// the connection is already closed
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
