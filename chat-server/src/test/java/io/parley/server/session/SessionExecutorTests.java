package io.parley.server.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class SessionExecutorTests {

	/** Space for two tasks. */
	private static final long TWO = 1_100;

	private static final Duration LONG = Duration.ofSeconds(30);

	@Test
	void runsTheTasksOfASessionInOrderAndOneAtATime() {
		SessionExecutor executor = new SessionExecutor(1_000_000);
		List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
		AtomicInteger atOnce = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		for (int i = 0; i < 5_000; i++) {
			int task = i;
			executor.execute("a", () -> {
				most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
				ran.add(task);
				atOnce.decrementAndGet();
			});
		}
		Awaitility.await().atMost(LONG).until(() -> ran.size() == 5_000);
		assertThat(ran).isEqualTo(IntStream.range(0, 5_000).boxed().toList());
		assertThat(most).hasValue(1);
		Awaitility.await().atMost(LONG).until(() -> executor.activeSessions() == 0);
	}

	@Test
	void doesNotBlockOtherSessionsWhenOneIsStuck() throws InterruptedException {
		SessionExecutor executor = new SessionExecutor(1_000_000);
		CountDownLatch stuck = new CountDownLatch(1);
		CountDownLatch others = new CountDownLatch(100);
		executor.execute("stuck", () -> await(stuck));
		for (int i = 0; i < 100; i++) {
			executor.execute("other" + i, others::countDown);
		}
		others.await();
		stuck.countDown();
	}

	@Test
	void blocksTheCallerWhileTheQueueOfASessionIsFull() {
		SessionExecutor executor = new SessionExecutor(TWO);
		CountDownLatch stuck = new CountDownLatch(1);
		List<Integer> ran = new CopyOnWriteArrayList<>();
		Thread caller = Thread.ofVirtual().start(() -> {
			executor.execute("a", () -> await(stuck));
			IntStream.range(0, 20).forEach((i) -> executor.execute("a", () -> ran.add(i)));
		});
		Awaitility.await().atMost(LONG).until(() -> caller.getState() == Thread.State.WAITING);
		assertThat(ran).isEmpty();
		stuck.countDown();
		Awaitility.await().atMost(LONG).until(() -> ran.size() == 20);
		assertThat(ran).isSorted();
	}

	@Test
	void continuesAfterAFailedTask() {
		SessionExecutor executor = new SessionExecutor(TWO);
		List<Integer> ran = new CopyOnWriteArrayList<>();
		executor.execute("a", () -> {
			throw new IllegalStateException("on purpose");
		});
		executor.execute("a", () -> ran.add(1));
		Awaitility.await().atMost(LONG).until(() -> ran.size() == 1);
	}

	@Test
	void losesNoTaskWhenQueuesAreCreatedAndRemoved() {
		SessionExecutor executor = new SessionExecutor(TWO);
		AtomicInteger ran = new AtomicInteger();
		List<Thread> callers = IntStream.range(0, 8).mapToObj((caller) -> Thread.ofVirtual().start(() -> {
			for (int i = 0; i < 2_000; i++) {
				executor.execute("s" + i % 3, ran::incrementAndGet);
			}
		})).toList();
		assertThat(callers).hasSize(8);
		Awaitility.await().atMost(LONG).until(() -> ran.get() == 16_000);
		Awaitility.await().atMost(LONG).until(() -> executor.activeSessions() == 0);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
