package io.parley.store.scheduled;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class ScheduledMessageRepositoryTests {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private final ScheduledMessageRepository messages;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final Instant past;

	ScheduledMessageRepositoryTests(ScheduledMessageRepository messages, TransactionTemplate transaction,
			JdbcTemplate jdbc) {
		this.messages = messages;
		this.transaction = transaction;
		this.jdbc = jdbc;
		this.past = messages.now().minusSeconds(60);
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM scheduled_message");
	}

	private long add(String user, String room, Instant sendAt) {
		return this.messages
			.add(new ScheduledMessage(user, room, UUID.randomUUID().toString(), "{\"text\":\"ü👍\"}", sendAt,
					this.past), 0)
			.orElseThrow()
			.message()
			.id();
	}

	private List<List<ScheduledMessage>> claim(Duration lease) {
		return this.messages.claim(100, 10, UUID.randomUUID().toString(), lease);
	}

	private static List<List<Long>> ids(List<List<ScheduledMessage>> groups) {
		return groups.stream().map((group) -> group.stream().map(ScheduledMessage::id).toList()).toList();
	}

	@Test
	void theTimeOfTheDatabaseIsInUtc() {
		assertThat(this.messages.now()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
	}

	@Test
	void claimsWhatIsDueInItsOrder() {
		long third = add("anna", "r1", this.past.plusSeconds(2));
		long first = add("anna", "r1", this.past);
		long second = add("anna", "r1", this.past.plusSeconds(1));
		long other = add("anna", "r2", this.past);
		add("anna", "r1", this.past.plusSeconds(3_600));
		List<List<ScheduledMessage>> claimed = claim(LEASE);
		assertThat(ids(claimed)).containsExactlyInAnyOrder(List.of(first, second, third), List.of(other));
		assertThat(claimed.getFirst().getFirst().attempts()).isEqualTo(1);
		assertThat(claim(LEASE)).isEmpty();
	}

	@Test
	void claimsOnlySoManyOfAGroupAndNoneOfItUntilTheyAreFinished() {
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < 25; i++) {
			ids.add(add("anna", "r", this.past.plusMillis(i)));
		}
		List<ScheduledMessage> claimed = claim(LEASE).getFirst();
		assertThat(ids(List.of(claimed))).containsExactly(ids.subList(0, 10));
		assertThat(claim(LEASE)).isEmpty();
		this.messages.finish(sent(claimed.subList(0, 9)));
		assertThat(claim(LEASE)).isEmpty();
		this.messages.finish(sent(claimed.subList(9, 10)));
		assertThat(ids(claim(LEASE))).containsExactly(ids.subList(10, 20));
	}

	@Test
	void claimsWhatIsDueWhileAnotherMessageIsChanged() {
		for (int i = 0; i < 90; i++) {
			add("user" + i, "r", this.past);
		}
		long later = add("anna", "r", this.past.plusSeconds(3_600));
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.queryForList("SELECT id FROM scheduled_message WHERE id = ? FOR UPDATE", later);
			assertThat(Threads.elsewhere(() -> claim(LEASE))).hasSize(90);
		});
	}

	private static List<ScheduledOutcome> sent(List<ScheduledMessage> messages) {
		return messages.stream().<ScheduledOutcome>map((message) -> new ScheduledOutcome.Sent(message, 7)).toList();
	}

	@Test
	void aMessageThatWaitsForItsNextAttemptHoldsThoseAfterIt() {
		long first = add("anna", "r", this.past);
		add("anna", "r", this.past.plusSeconds(1));
		long other = add("bert", "r", this.past);
		List<ScheduledOutcome> retries = new ArrayList<>();
		claim(LEASE).stream()
			.filter((group) -> group.getFirst().id() == first)
			.flatMap(List::stream)
			.forEach((message) -> retries
				.add(new ScheduledOutcome.Retry(message, (message.id() == first) ? LEASE : Duration.ZERO, false)));
		this.messages.finish(retries);
		assertThat(claim(LEASE)).isEmpty();
		assertThat(this.messages.find("anna", first).orElseThrow().isBeingSent()).isFalse();
		assertThat(this.messages.find("bert", other).orElseThrow().isBeingSent()).isTrue();
	}

	@Test
	void aFailedMessageHoldsNobody() {
		long first = add("anna", "r", this.past);
		long second = add("anna", "r", this.past.plusSeconds(1));
		ScheduledMessage claimed = this.messages.claim(1, 1, "c", LEASE).getFirst().getFirst();
		this.messages.finish(List.of(new ScheduledOutcome.Failed(claimed, "muted", "Why ü")));
		assertThat(ids(claim(LEASE))).containsExactly(List.of(second));
		ScheduledMessage failed = this.messages.find("anna", first).orElseThrow();
		assertThat(failed.state()).isEqualTo(ScheduledState.FAILED);
		assertThat(failed.code()).isEqualTo("muted");
		assertThat(failed.reason()).isEqualTo("Why ü");
		assertThat(failed.body()).isEqualTo("{\"text\":\"ü👍\"}");
	}

	@Test
	void anEndedClaimPassesOnAndItsOutcomeIsIgnored() {
		long id = add("anna", "r", this.past);
		ScheduledMessage lost = claim(Duration.ofSeconds(-1)).getFirst().getFirst();
		assertThat(this.messages.find("anna", id).orElseThrow().isBeingSent()).isTrue();
		ScheduledMessage taken = claim(LEASE).getFirst().getFirst();
		assertThat(taken.attempts()).isEqualTo(2);
		assertThat(this.messages.finish(List.of(new ScheduledOutcome.Failed(lost, "internal", "x")))).isEmpty();
		assertThat(this.messages.finish(sent(List.of(taken)))).containsExactly(id);
		ScheduledMessage sent = this.messages.find("anna", id).orElseThrow();
		assertThat(sent.state()).isEqualTo(ScheduledState.SENT);
		assertThat(sent.position()).isEqualTo(7);
		assertThat(sent.body()).isEmpty();
	}

	@Test
	void serversThatClaimAtOnceGetEachMessageOnceAndInOrder() throws Exception {
		for (int user = 0; user < 5; user++) {
			for (int i = 0; i < 12; i++) {
				add("user" + user, "r", this.past.plusMillis(i));
			}
		}
		Map<String, List<Instant>> order = new HashMap<>();
		List<Future<Integer>> servers = new ArrayList<>();
		try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
			for (int server = 0; server < 3; server++) {
				servers.add(threads.submit(() -> send(order)));
			}
		}
		int sent = 0;
		for (Future<Integer> server : servers) {
			sent += server.get();
		}
		assertThat(sent).isEqualTo(60);
		assertThat(order).hasSize(5)
			.allSatisfy((user, times) -> assertThat(times).hasSize(12).isSorted().doesNotHaveDuplicates());
	}

	/** Sends until nothing waits any more. */
	private int send(Map<String, List<Instant>> order) {
		int sent = 0;
		while (waiting() > 0) {
			for (List<ScheduledMessage> group : this.messages.claim(3, 4, UUID.randomUUID().toString(), LEASE)) {
				synchronized (order) {
					group.forEach((message) -> order.computeIfAbsent(message.username(), (name) -> new ArrayList<>())
						.add(message.sendAt()));
				}
				sent += group.size();
				this.messages.finish(sent(group));
			}
		}
		return sent;
	}

	private int waiting() {
		Integer waiting = this.jdbc.queryForObject("SELECT COUNT(*) FROM scheduled_message WHERE state = 'waiting'",
				Integer.class);
		return (waiting != null) ? waiting : 0;
	}

	@Test
	void isAddedOncePerClientIdAndTheCountIsExact() throws Exception {
		String user = UUID.randomUUID().toString();
		this.jdbc.update("INSERT INTO account (username, password_hash, created_at) VALUES (?, 'x', NOW())", user);
		List<Future<Optional<ScheduledMessageRepository.Added>>> adds = new ArrayList<>();
		try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
			for (int i = 0; i < 24; i++) {
				ScheduledMessage message = new ScheduledMessage(user, "r", "c" + i % 12, "{}",
						this.past.plusSeconds(3_600), this.past);
				adds.add(threads.submit(() -> this.messages.add(message, 5)));
			}
		}
		int isNew = 0;
		for (Future<Optional<ScheduledMessageRepository.Added>> add : adds) {
			isNew += add.get().filter(ScheduledMessageRepository.Added::isNew).isPresent() ? 1 : 0;
		}
		assertThat(isNew).isEqualTo(5);
		ScheduledMessage first = this.messages.of(user).getFirst();
		this.messages.change(user, first.id(), ScheduledMessage::cancelled);
		assertThat(this.messages.of(user)).hasSize(4);
		assertThat(this.messages.change("other", first.id(), ScheduledMessage::cancelled)).isEmpty();
		assertThat(this.messages.find(user, first.id()).orElseThrow().body()).isEmpty();
		this.messages.deleteBefore(this.messages.now().plusSeconds(1), ScheduledState.CANCELLED);
		assertThat(this.messages.find(user, first.id())).isEmpty();
	}

}
