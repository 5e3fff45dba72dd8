package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.notification.PushFixture.Chat;
import io.parley.notification.provider.PushAnswer;
import io.parley.notification.provider.PushMessage;
import io.parley.store.push.Device;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests failures of a device, the provider or a worker. */
@PushTest
@Tag("slow")
class PushRetryTests {

	/** More tasks than one worker claims at once. */
	private static final int MANY = Boolean.getBoolean("parley.test.full-size") ? 600 : 300;

	private static final PushAnswer BUSY = PushAnswer.retry("busy", null);

	private final PushFixture push;

	private final PushDispatcher dispatcher;

	private final TaskDecider decider;

	private final PushDelivery delivery;

	private final PushTraces traces;

	private final PushProperties properties;

	private final TransactionTemplate transaction;

	PushRetryTests(PushFixture push, PushDispatcher dispatcher, TaskDecider decider, PushDelivery delivery,
			PushTraces traces, PushProperties properties, PlatformTransactionManager transactions) {
		this.push = push;
		this.dispatcher = dispatcher;
		this.decider = decider;
		this.delivery = delivery;
		this.traces = traces;
		this.properties = properties;
		this.transaction = new TransactionTemplate(transactions);
	}

	@AfterEach
	void resumeDecisions() {
		this.dispatcher.start();
	}

	@Test
	void asksOnlyTheDeviceAgainThatDidNotTakeIt() {
		Chat chat = phoneAndLaptop();
		this.push.provider().answer("phone" + chat.suffix(), BUSY, BUSY);
		chat.post("anna", "Hello");
		await().untilAsserted(
				() -> assertThat(chat.outcomes("bert")).extracting(Enum::name).filteredOn("SENT"::equals).hasSize(2));
		assertThat(asked("phone" + chat.suffix())).extracting(PushMessage::messages).containsExactly(1, 1, 1);
		assertThat(asked("laptop" + chat.suffix())).extracting(PushMessage::messages).containsExactly(1);
		await().until(() -> !chat.isPending("bert"));
	}

	@Test
	void pushesOnlyNewMessagesToEachDevice() {
		Chat chat = phoneAndLaptop();
		this.push.provider().answer("phone" + chat.suffix(), PushAnswer.retry("later", Duration.ofSeconds(3)));
		chat.post("anna", "First");
		await().until(() -> chat.outcomes("bert").size() == 2);
		this.dispatcher.stop();
		chat.post("anna", "Second");
		chat.awaitPlanned();
		this.dispatcher.start();
		await().until(() -> !chat.isPending("bert"));
		assertThat(asked("phone" + chat.suffix())).extracting(PushMessage::messages).containsExactly(1, 2);
		assertThat(asked("laptop" + chat.suffix())).extracting(PushMessage::messages).containsExactly(1, 1);
	}

	@Test
	void deletesAnUnregisteredDeviceAndGivesUpRefusedPushes() {
		Chat chat = phoneAndLaptop();
		this.push.provider().answer("phone" + chat.suffix(), PushAnswer.gone("unregistered"));
		this.push.provider().answer("laptop" + chat.suffix(), PushAnswer.refused("invalid-payload"));
		chat.post("anna", "Hello");
		await().untilAsserted(() -> assertThat(chat.outcomes("bert")).extracting(Enum::name)
			.containsExactlyInAnyOrder("GONE", "REFUSED"));
		assertThat(this.push.devices().of(chat.name("bert"))).extracting(Device::token)
			.containsExactly("laptop" + chat.suffix());
		await().until(() -> !chat.isPending("bert"));
	}

	@Test
	void parksATaskAfterTooManyAttempts() {
		Chat chat = this.push.room("anna", "bert");
		this.push.provider().answer(chat.name("bert"), BUSY, BUSY, BUSY, BUSY, BUSY);
		chat.post("anna", "Hello");
		await().untilAsserted(
				() -> assertThat(chat.outcomes("bert")).hasToString("[RETRIED, RETRIED, RETRIED, RETRIED, PARKED]"));
		await().until(() -> !chat.isPending("bert"));
		assertThat(asked(chat.name("bert"))).hasSize(4);
	}

	@Test
	void retriesStoringTheResultsOfABatch() {
		Chat chat = this.push.room("anna", "bert");
		this.dispatcher.stop();
		chat.post("anna", "Hello");
		chat.awaitPlanned();
		FailingTransactions failing = new FailingTransactions(this.transaction.getTransactionManager(), 3);
		PushDispatcher other = dispatcher(failing);
		other.start();
		await().until(() -> !chat.isPending("bert"));
		other.stop();
		assertThat(failing.failures).hasValue(0);
		assertThat(chat.outcomes("bert")).hasToString("[SENT]");
		assertThat(asked(chat.name("bert"))).hasSize(1);
	}

	@Test
	void severalWorkersPushToEachDeviceOnce() {
		String[] names = IntStream.range(0, MANY).mapToObj((i) -> "user" + i).toArray(String[]::new);
		Chat chat = this.push.room(names);
		List<PushDispatcher> others = List.of(dispatcher(), dispatcher());
		this.dispatcher.stop();
		chat.post("user0", "Hello");
		chat.awaitPlanned();
		this.dispatcher.start();
		others.forEach(PushDispatcher::start);
		await().until(() -> chat.members().stream().noneMatch((name) -> isPending(name, chat)));
		others.forEach(PushDispatcher::stop);
		assertThat(this.push.provider().askedUsers()).filteredOn((name) -> name.endsWith(chat.suffix()))
			.doesNotHaveDuplicates()
			.hasSize(MANY - 1);
	}

	@Test
	void takesOverFromAWorkerThatDied() {
		Chat chat = this.push.room("anna", "bert");
		this.dispatcher.stop();
		chat.post("anna", "Hello");
		chat.awaitPlanned();
		Instant now = Instant.now();
		assertThat(this.push.tasks().take(1_000, now.plusSeconds(5), "dead", now.plusMillis(200))).isNotEmpty();
		this.dispatcher.start();
		await().until(() -> asked(chat.name("bert")).size() == 1);
		await().until(() -> !chat.isPending("bert"));
	}

	private boolean isPending(String username, Chat chat) {
		return this.push.tasks().pending(username, chat.id()).isPresent();
	}

	private PushDispatcher dispatcher() {
		return dispatcher(this.transaction);
	}

	private PushDispatcher dispatcher(TransactionTemplate transaction) {
		PushResults results = new PushResults(transaction, this.push.pushLog(), this.push.tasks(), this.push.devices(),
				new SimpleMeterRegistry(), Duration.ZERO, Clock.systemUTC());
		return new PushDispatcher(this.push.tasks(), this.decider, this.delivery, results, this.traces, this.properties,
				new ProviderFailures(), Clock.systemUTC());
	}

	private Chat phoneAndLaptop() {
		Chat chat = this.push.chat("anna", "bert");
		this.push.device(chat.name("bert"), "phone" + chat.suffix());
		this.push.device(chat.name("bert"), "laptop" + chat.suffix());
		return chat;
	}

	/**
	 * Executes the whole transaction and then fails as if the connection was lost before
	 * the commit.
	 */
	private static final class FailingTransactions extends TransactionTemplate {

		private final AtomicInteger failures;

		private FailingTransactions(PlatformTransactionManager transactions, int failures) {
			super(transactions);
			this.failures = new AtomicInteger(failures);
		}

		@Override
		public <T> T execute(TransactionCallback<T> action) {
			return super.execute((status) -> {
				T result = action.doInTransaction(status);
				if (this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					throw new DataAccessResourceFailureException("the connection is lost");
				}
				return result;
			});
		}

	}

	private List<PushMessage> asked(String token) {
		return this.push.provider()
			.asked()
			.stream()
			.filter((message) -> message.target().value().equals(token))
			.toList();
	}

}
