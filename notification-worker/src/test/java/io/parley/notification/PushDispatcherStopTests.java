package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import io.parley.trace.MessageTracer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stops the dispatcher while the provider handles a batch and the dispatcher thread waits
 * for the database. The test controls the clock.
 */
class PushDispatcherStopTests {

	private static final Duration LONGEST = Duration.ofHours(1);

	private static final PushProperties PROPERTIES = new PushProperties(PushProperties.Provider.LOG, Duration.ZERO,
			Duration.ZERO, Duration.ofHours(4), 1, Duration.ofSeconds(1), Duration.ofMinutes(2), 1, Duration.ofDays(1),
			Duration.ofDays(1));

	private final AtomicLong nanos = new AtomicLong();

	private final CountDownLatch batchStarted = new CountDownLatch(1);

	private final CountDownLatch batchMayEnd = new CountDownLatch(1);

	private final CountDownLatch databaseAnswers = new CountDownLatch(1);

	private final PushTaskRepository tasks = Mockito.mock(PushTaskRepository.class);

	private final TaskDecider decider = Mockito.mock(TaskDecider.class);

	private final PushResults results = new PushResults(
			new TransactionTemplate(Mockito.mock(PlatformTransactionManager.class)),
			Mockito.mock(PushLogRepository.class), this.tasks, Mockito.mock(DeviceRepository.class),
			new SimpleMeterRegistry(), Duration.ZERO, Clock.systemUTC());

	private final PushDispatcher dispatcher = new PushDispatcher(this.tasks, this.decider,
			new PushDelivery((messages) -> List.of(), Mockito.mock(Badges.class), PROPERTIES), this.results,
			new PushTraces(MessageTracer.off(), Mockito.mock(RoomEventRepository.class)), PROPERTIES,
			new ProviderFailures(), Clock.systemUTC());

	private volatile Thread dispatching;

	private Thread stopping;

	@BeforeEach
	void stopWhileBusy() throws InterruptedException {
		BDDMockito
			.given(this.tasks.take(ArgumentMatchers.anyInt(), ArgumentMatchers.any(), ArgumentMatchers.any(),
					ArgumentMatchers.any()))
			.willReturn(List
				.of(PushTask.of("bert", "room", 1, false, "anna", "Hello", Instant.now(), Instant.now(), Instant.MAX)))
			.willAnswer((call) -> {
				this.dispatching = Thread.currentThread();
				this.databaseAnswers.await();
				return List.of();
			});
		BDDMockito.given(this.decider.decide(ArgumentMatchers.any(), ArgumentMatchers.any())).willAnswer((call) -> {
			this.batchStarted.countDown();
			this.batchMayEnd.await();
			return new TaskDecisions(call.getArgument(1));
		});
		this.dispatcher.start();
		this.batchStarted.await();
		await().until(() -> this.dispatching != null);
		Deadline deadline = new Deadline(LONGEST, this.nanos::get);
		this.stopping = Thread.ofPlatform().start(() -> this.dispatcher.stop(deadline));
		awaitWaiting();
	}

	@AfterEach
	void end() throws InterruptedException {
		this.databaseAnswers.countDown();
		this.batchMayEnd.countDown();
		this.stopping.join();
	}

	@Test
	void waitsForTheBatchesOnlyForTheRemainingTime() throws InterruptedException {
		this.nanos.addAndGet(LONGEST.toNanos());
		this.databaseAnswers.countDown();
		assertThat(this.stopping.join(Duration.ofSeconds(15))).as("stopped, with a batch in progress").isTrue();
		assertThat(this.dispatcher.isRunning()).isFalse();
	}

	@Test
	void waitsForTheBatchesWhileThereIsTime() throws InterruptedException {
		this.nanos.addAndGet(LONGEST.toNanos() / 2);
		this.databaseAnswers.countDown();
		this.dispatching.join();
		awaitWaiting();
		this.batchMayEnd.countDown();
		this.stopping.join();
		Mockito.verify(this.tasks)
			.done(ArgumentMatchers.any(), ArgumentMatchers.any(), ArgumentMatchers.any(), ArgumentMatchers.any());
	}

	private void awaitWaiting() {
		await().until(() -> this.stopping.getState() == Thread.State.TIMED_WAITING);
	}

}
