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
 * Shares few HTTP/2 connections among many requests, and gives each request a deadline,
 * which Apache's client has for HTTP/1.1 only. A connection on which nothing comes back
 * until a deadline is given up for a new one, when what is under way on it has ended.
 */
final class MultiplexingClient extends CloseableHttpAsyncClient {

	private final AtomicReferenceArray<FcmConnection> lanes;

	/** Nothing begins on them any more. */
	private final Set<FcmConnection> givenUp = ConcurrentHashMap.newKeySet();

	private final Supplier<CloseableHttpAsyncClient> clients;

	private final Duration timeout;

	/** One thread, which alone replaces connections. */
	private final ScheduledThreadPoolExecutor deadlines;

	/**
	 * Starts nothing yet.
	 * @param clients makes a client that opens one connection
	 */
	MultiplexingClient(int connections, Duration timeout, Supplier<CloseableHttpAsyncClient> clients) {
		this.clients = clients;
		this.timeout = timeout;
		this.lanes = new AtomicReferenceArray<>(connections);
		for (int index = 0; index < connections; index++) {
			this.lanes.set(index, new FcmConnection(clients.get()));
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
		FcmConnection lane = this.lanes.get(index);
		lane.begin();
		long begin = System.nanoTime();
		Exchange<T> exchange = new Exchange<>(lane, request, callback);
		Future<T> future = lane.client().execute(target, request, response, pushes, context, exchange);
		exchange.deadline(this.deadlines.schedule(() -> expire(future, index, lane, begin), this.timeout.toNanos(),
				TimeUnit.NANOSECONDS));
		return future;
	}

	/** The first with room, so that few messages need one connection only. */
	private int choose() {
		int best = 0;
		for (int index = 0; index < this.lanes.length(); index++) {
			if (this.lanes.get(index).hasRoom()) {
				return index;
			}
			if (this.lanes.get(index).underWay() < this.lanes.get(best).underWay()) {
				best = index;
			}
		}
		return best;
	}

	/** The lane first: who waits for the request may send again when it is cancelled. */
	private void expire(Future<?> future, int index, FcmConnection lane, long begin) {
		if (!future.isDone() && !lane.hasAnsweredSince(begin) && this.lanes.get(index) == lane) {
			FcmConnection fresh = new FcmConnection(this.clients.get());
			fresh.client().start();
			this.lanes.set(index, fresh);
			giveUp(lane);
		}
		future.cancel(true);
	}

	/**
	 * What is under way on it may still be answered until its own deadline: were it cut,
	 * a message that has arrived would be sent again.
	 */
	private void giveUp(FcmConnection lane) {
		this.givenUp.add(lane);
		this.deadlines.schedule(() -> {
			this.givenUp.remove(lane);
			lane.client().close(CloseMode.IMMEDIATE);
		}, this.timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

	@Override
	public void start() {
		each(CloseableHttpAsyncClient::start);
	}

	@Override
	public IOReactorStatus getStatus() {
		return this.lanes.get(0).client().getStatus();
	}

	@Override
	public void awaitShutdown(TimeValue waitTime) throws InterruptedException {
		for (int index = 0; index < this.lanes.length(); index++) {
			this.lanes.get(index).client().awaitShutdown(waitTime);
		}
	}

	@Override
	public void initiateShutdown() {
		each(CloseableHttpAsyncClient::initiateShutdown);
	}

	/** Always at once: nobody waits any more for what is under way. */
	@Override
	public void close(CloseMode mode) {
		this.deadlines.shutdownNow();
		each((client) -> client.close(CloseMode.IMMEDIATE));
		this.givenUp.forEach((lane) -> lane.client().close(CloseMode.IMMEDIATE));
	}

	@Override
	public void close() {
		close(CloseMode.GRACEFUL);
	}

	/** Pushes of the server are not asked for. */
	@Override
	@Deprecated
	public void register(String host, String pattern,
			org.apache.hc.core5.function.Supplier<AsyncPushConsumer> consumers) {
		throw new UnsupportedOperationException();
	}

	private void each(Consumer<CloseableHttpAsyncClient> action) {
		for (int index = 0; index < this.lanes.length(); index++) {
			action.accept(this.lanes.get(index).client());
		}
	}

	/**
	 * Notes on the lane what became of a request. Tells the request of a failure too: the
	 * SDK waits until it is written, and nobody else tells it that it never will.
	 */
	private static final class Exchange<T> implements FutureCallback<T> {

		private final FcmConnection lane;

		private final AsyncRequestProducer request;

		private final FutureCallback<T> callback;

		private @Nullable Future<?> deadline;

		private boolean ended;

		Exchange(FcmConnection lane, AsyncRequestProducer request, FutureCallback<T> callback) {
			this.lane = lane;
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
			this.lane.end();
			if (this.deadline != null) {
				this.deadline.cancel(false);
			}
		}

		@Override
		public void completed(T result) {
			this.lane.answered();
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
			this.request.failed(new SocketTimeoutException("no answer in time"));
			this.callback.cancelled();
		}

	}

}
