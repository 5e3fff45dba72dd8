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

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.messaging.support.MessageHandlingRunnable;

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
	void handlesASendOnTheVirtualThreadThatHasReadIt() throws InterruptedException {
		SessionExecutor executor = new SessionExecutor(TWO);
		List<Thread> handlers = new CopyOnWriteArrayList<>();
		Runnable read = () -> executor
			.execute(task("a", SimpMessageType.MESSAGE, () -> handlers.add(Thread.currentThread())));
		Thread reader = Thread.ofVirtual().start(read);
		reader.join();
		assertThat(handlers).containsExactly(reader);
		assertThat(executor.activeSessions()).isZero();
		read.run();
		Awaitility.await().atMost(LONG).until(() -> handlers.size() == 2);
		assertThat(handlers.getLast()).isNotEqualTo(Thread.currentThread());
	}

	@Test
	void doesNotKeepTheReaderForASubscribe() throws InterruptedException {
		SessionExecutor executor = new SessionExecutor(TWO);
		CountDownLatch stuck = new CountDownLatch(1);
		Thread reader = Thread.ofVirtual()
			.start(() -> executor.execute(task("a", SimpMessageType.SUBSCRIBE, () -> await(stuck))));
		reader.join();
		assertThat(executor.activeSessions()).isOne();
		stuck.countDown();
	}

	@Test
	void runsWhatIsQueuedDuringASendAfterIt() throws InterruptedException {
		SessionExecutor executor = new SessionExecutor(1_000_000);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch sending = new CountDownLatch(1);
		CountDownLatch last = new CountDownLatch(1);
		List<Integer> ran = new CopyOnWriteArrayList<>();
		Thread reader = Thread.ofVirtual().start(() -> executor.execute(task("a", SimpMessageType.MESSAGE, () -> {
			begun.countDown();
			await(sending);
			ran.add(-1);
		})));
		begun.await();
		IntStream.range(0, 20).forEach((i) -> executor.execute("a", () -> ran.add(i)));
		executor.execute("a", () -> await(last));
		assertThat(ran).isEmpty();
		sending.countDown();
		// The reader does not wait for what others have queued.
		reader.join();
		Awaitility.await().atMost(LONG).until(() -> ran.size() == 21);
		assertThat(ran).isSorted();
		last.countDown();
		Awaitility.await().atMost(LONG).until(() -> executor.activeSessions() == 0);
	}

	@Test
	void losesNoTaskWhenQueuesAreCreatedAndRemoved() {
		SessionExecutor executor = new SessionExecutor(TWO);
		AtomicInteger ran = new AtomicInteger();
		List<Thread> callers = IntStream.range(0, 8).mapToObj((caller) -> Thread.ofVirtual().start(() -> {
			for (int i = 0; i < 2_000; i++) {
				if (i % 2 == 0) {
					executor.execute("s" + i % 3, ran::incrementAndGet);
				}
				else {
					executor.execute(task("s" + i % 3, SimpMessageType.MESSAGE, ran::incrementAndGet));
				}
			}
		})).toList();
		assertThat(callers).hasSize(8);
		Awaitility.await().atMost(LONG).until(() -> ran.get() == 16_000);
		Awaitility.await().atMost(LONG).until(() -> executor.activeSessions() == 0);
	}

	/** Returns the task by which Spring hands a frame to a handler. */
	private static MessageHandlingRunnable task(String session, SimpMessageType type, Runnable work) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(type);
		headers.setSessionId(session);
		Message<byte[]> message = MessageBuilder.createMessage(new byte[0], headers.getMessageHeaders());
		return new MessageHandlingRunnable() {

			@Override
			public Message<?> getMessage() {
				return message;
			}

			@Override
			public MessageHandler getMessageHandler() {
				return (handled) -> work.run();
			}

			@Override
			public void run() {
				work.run();
			}

		};
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
