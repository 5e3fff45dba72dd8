package io.parley.notification.provider;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

import com.google.firebase.FirebaseApp;
import com.google.firebase.ThreadManager;

/**
 * Provides the threads of the SDK, which blocks one for each message. The SDK's own
 * executor has an unbounded queue.
 */
final class FcmThreads extends ThreadManager {

	private final int concurrency;

	FcmThreads(int concurrency) {
		this.concurrency = concurrency;
	}

	@Override
	protected ExecutorService getExecutor(FirebaseApp app) {
		return new BoundedExecutor(this.concurrency);
	}

	@Override
	protected void releaseExecutor(FirebaseApp app, ExecutorService executor) {
		executor.shutdownNow();
	}

	@Override
	protected ThreadFactory getThreadFactory() {
		return Thread.ofPlatform().daemon().name("fcm-", 0).factory();
	}

}
