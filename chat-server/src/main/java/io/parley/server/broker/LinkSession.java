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

	private final AtomicLong receipts = new AtomicLong();

	private final CompletableFuture<Void> lost = new CompletableFuture<>();

	LinkSession(StompSession stomp) {
		this.stomp = stomp;
	}

	/** What waits for an answer of this connection waits no longer. */
	void lost(Throwable cause) {
		this.lost.completeExceptionally(new BrokerAwayException("The connection to the broker was lost", cause));
	}

	/** A receipt for the last one tells that the broker has those before it too. */
	void publish(List<BrokerMessage> messages, BrokerDialect dialect, long timeoutMillis) {
		CompletableFuture<Void> taken = CompletableFuture.completedFuture(null);
		try {
			for (int i = 0; i < messages.size(); i++) {
				StompHeaders headers = headers(messages.get(i), dialect);
				if (i == messages.size() - 1) {
					headers.setReceipt(nextReceipt());
				}
				taken = answer(this.stomp.send(headers, messages.get(i).json()));
			}
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

	void offer(BrokerMessage message, BrokerDialect dialect) {
		try {
			this.stomp.send(headers(message, dialect), message.json());
		}
		catch (RuntimeException ex) {
			// it may be lost
		}
	}

	private static StompHeaders headers(BrokerMessage message, BrokerDialect dialect) {
		StompHeaders headers = new StompHeaders();
		headers.setDestination(message.topic());
		headers.setContentType(MimeTypeUtils.APPLICATION_JSON);
		if (message.position() > 0) {
			headers.set(BrokerMessage.POSITION, String.valueOf(message.position()));
			headers.set(BrokerMessage.PREV, String.valueOf(message.prev()));
		}
		dialect.send().forEach(headers::set);
		return headers;
	}

	@Nullable LinkSubscription subscribe(String topic, Consumer<BrokerMessage> messages, BrokerDialect dialect) {
		StompHeaders headers = new StompHeaders();
		headers.setDestination(topic);
		headers.setReceipt(nextReceipt());
		dialect.subscribe().forEach(headers::set);
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
