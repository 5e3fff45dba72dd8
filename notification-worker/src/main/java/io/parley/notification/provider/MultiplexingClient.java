package io.parley.notification.provider;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.nio.AsyncPushConsumer;
import org.apache.hc.core5.http.nio.AsyncRequestProducer;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.HandlerFactory;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOReactorStatus;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * Multiplexes many requests over few HTTP/2 connections, and gives each request a
 * deadline, which Apache's client supports for HTTP/1.1 only. If no response arrives on a
 * connection before a deadline, a new connection replaces it, and it is closed when the
 * deadlines of its requests in flight have passed.
 */
final class MultiplexingClient extends CloseableHttpAsyncClient {

	private final AtomicReferenceArray<FcmConnection> connections;

	/** Connections that get no new requests. */
	private final Set<FcmConnection> retired = ConcurrentHashMap.newKeySet();

	private final Supplier<CloseableHttpAsyncClient> clients;

	private final Duration timeout;

	/** A single thread, the only one that replaces connections. */
	private final ScheduledThreadPoolExecutor deadlines;

	/**
	 * Creates a client without starting it.
	 * @param count the number of connections
	 * @param timeout the deadline of each request
	 * @param clients creates a client that opens one connection
	 */
	MultiplexingClient(int count, Duration timeout, Supplier<CloseableHttpAsyncClient> clients) {
		this.clients = clients;
		this.timeout = timeout;
		this.connections = new AtomicReferenceArray<>(count);
		for (int index = 0; index < count; index++) {
			this.connections.set(index, new FcmConnection(clients.get()));
		}
		this.deadlines = new ScheduledThreadPoolExecutor(1,
				Thread.ofPlatform().daemon().name("fcm-deadlines").factory());
		this.deadlines.setRemoveOnCancelPolicy(true);
	}

	@Override
	protected <T> Future<T> doExecute(@Nullable HttpHost target, AsyncRequestProducer request,
			AsyncResponseConsumer<T> response, @Nullable HandlerFactory<AsyncPushConsumer> pushes, HttpContext context,
			FutureCallback<T> callback) {
		int index = choose();
		FcmConnection connection = this.connections.get(index);
		connection.begin();
		long begin = System.nanoTime();
		Exchange<T> exchange = new Exchange<>(connection, request, callback);
		Future<T> future = connection.client().execute(target, request, response, pushes, context, exchange);
		exchange.deadline(this.deadlines.schedule(() -> expire(future, index, connection, begin),
				this.timeout.toNanos(), TimeUnit.NANOSECONDS));
		return future;
	}

	/**
	 * Returns the index of the first connection with a free stream, so that few messages
	 * need only one connection. If there is none, returns the index of the one with the
	 * fewest requests in flight.
	 */
	private int choose() {
		int best = 0;
		for (int index = 0; index < this.connections.length(); index++) {
			if (this.connections.get(index).hasCapacity()) {
				return index;
			}
			if (this.connections.get(index).inFlight() < this.connections.get(best).inFlight()) {
				best = index;
			}
		}
		return best;
	}

	/**
	 * Replaces a connection on which no response has arrived since the request began,
	 * then cancels the request. The order matters: the caller may send again as soon as
	 * the request is cancelled.
	 */
	private void expire(Future<?> future, int index, FcmConnection connection, long begin) {
		if (!future.isDone() && !connection.hasAnsweredSince(begin) && this.connections.get(index) == connection) {
			FcmConnection fresh = new FcmConnection(this.clients.get());
			fresh.client().start();
			this.connections.set(index, fresh);
			retire(connection);
		}
		future.cancel(true);
	}

	/**
	 * Closes the connection after the timeout. Until then, requests in flight may still
	 * be answered: if they were cut off, messages that have arrived would be sent again.
	 */
	private void retire(FcmConnection connection) {
		this.retired.add(connection);
		this.deadlines.schedule(() -> {
			this.retired.remove(connection);
			connection.client().close(CloseMode.IMMEDIATE);
		}, this.timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void start() {
		each(CloseableHttpAsyncClient::start);
	}

	@Override
	public IOReactorStatus getStatus() {
		return this.connections.get(0).client().getStatus();
	}

	@Override
	public void awaitShutdown(TimeValue waitTime) throws InterruptedException {
		for (int index = 0; index < this.connections.length(); index++) {
			this.connections.get(index).client().awaitShutdown(waitTime);
		}
	}

	@Override
	public void initiateShutdown() {
		each(CloseableHttpAsyncClient::initiateShutdown);
	}

	/**
	 * Closes all connections immediately: no caller waits for the requests in flight any
	 * more.
	 */
	@Override
	public void close(CloseMode mode) {
		this.deadlines.shutdownNow();
		each((client) -> client.close(CloseMode.IMMEDIATE));
		this.retired.forEach((connection) -> connection.client().close(CloseMode.IMMEDIATE));
	}

	@Override
	public void close() {
		close(CloseMode.GRACEFUL);
	}

	/** Not supported, because server push is disabled. */
	@Override
	@Deprecated
	public void register(String host, String pattern,
			org.apache.hc.core5.function.Supplier<AsyncPushConsumer> consumers) {
		throw new UnsupportedOperationException();
	}

	private void each(Consumer<CloseableHttpAsyncClient> action) {
		for (int index = 0; index < this.connections.length(); index++) {
			action.accept(this.connections.get(index).client());
		}
	}

	/**
	 * Records the result of a request on its connection. Also passes a failure to the
	 * request: the SDK waits until the request is written, and is not notified otherwise
	 * that it never will be.
	 */
	private static final class Exchange<T> implements FutureCallback<T> {

		private final FcmConnection connection;

		private final AsyncRequestProducer request;

		private final FutureCallback<T> callback;

		private @Nullable Future<?> deadline;

		private boolean ended;

		Exchange(FcmConnection connection, AsyncRequestProducer request, FutureCallback<T> callback) {
			this.connection = connection;
			this.request = request;
			this.callback = callback;
		}

		synchronized void deadline(Future<?> value) {
			this.deadline = value;
			if (this.ended) {
				value.cancel(false);
			}
		}

		private synchronized void end() {
			this.ended = true;
			this.connection.end();
			if (this.deadline != null) {
				this.deadline.cancel(false);
			}
		}

		@Override
		public void completed(T result) {
			this.connection.answered();
			end();
			this.callback.completed(result);
		}

		@Override
		public void failed(Exception failure) {
			end();
			this.request.failed(failure);
			this.callback.failed(failure);
		}

		@Override
		public void cancelled() {
			end();
			this.request.failed(new SocketTimeoutException("no response in time"));
			this.callback.cancelled();
		}

	}

}
