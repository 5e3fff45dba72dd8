package io.parley.server.account;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Runs calls at the same moment. */
final class Parallel {

	private Parallel() {
	}

	static <T> List<T> run(int count, IntFunction<T> call) throws Exception {
		CountDownLatch start = new CountDownLatch(1);
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<T>> running = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				int number = i;
				Callable<T> task = () -> {
					start.await();
					return call.apply(number);
				};
				running.add(threads.submit(task));
			}
			start.countDown();
			List<T> results = new ArrayList<>();
			for (Future<T> each : running) {
				results.add(each.get());
			}
			return results;
		}
	}

}
