package io.parley.store.account;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class SignInRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private static final Instant LATER = NOW.plusSeconds(3600);

	private static final int LIMIT = 50;

	private static int users;

	private final SignInRepository signIns;

	private final AccountRepository accounts;

	private final AccountChanges changes;

	private final String user = "signer" + users++;

	SignInRepositoryTests(SignInRepository signIns, AccountRepository accounts, AccountChanges changes) {
		this.signIns = signIns;
		this.accounts = accounts;
		this.changes = changes;
	}

	@BeforeEach
	void register() {
		this.accounts.save(new Account(this.user, "hash", NOW));
	}

	private String id(String name) {
		return this.user + "-" + name;
	}

	private Optional<List<String>> start(String name, Instant at, int version, int limit) {
		return this.signIns.start(new SignIn(id(name), this.user, "Laptop 😀", at, LATER), version, limit, "TOO_MANY");
	}

	@Test
	void findsWhatWasStarted() {
		assertThat(start("a", NOW, 0, LIMIT)).contains(List.of());
		assertThat(this.signIns.find(id("a"))).hasValueSatisfying((found) -> {
			assertThat(found.getUsername()).isEqualTo(this.user);
			assertThat(found.getDevice()).isEqualTo("Laptop 😀");
			assertThat(found.getGeneration()).isEqualTo(1);
			assertThat(found.getCreatedAt()).isEqualTo(NOW);
			assertThat(found.getUsedAt()).isEqualTo(NOW);
			assertThat(found.getRotatedAt()).isNull();
			assertThat(found.getExpiresAt()).isEqualTo(LATER);
			assertThat(found.getEndedAt()).isNull();
			assertThat(found.getReason()).isNull();
		});
		assertThat(this.signIns.find(id("b"))).isEmpty();
		this.accounts.deleteById(this.user);
		assertThat(this.signIns.find(id("a"))).isEmpty();
	}

	@Test
	void raisesTheGenerationOnceAndNeverLowersIt() {
		start("a", NOW, 0, LIMIT);
		List<Integer> changed = Threads.atOnce(8,
				(thread) -> this.signIns.rotate(id("a"), 2, NOW.plusSeconds(1), LATER.plusSeconds(1)));
		assertThat(changed).containsOnlyOnce(1).hasSize(8);
		// The refreshes of an outage are stored by the next one.
		assertThat(this.signIns.rotate(id("a"), 5, NOW.plusSeconds(2), LATER.plusSeconds(2))).isEqualTo(1);
		assertThat(this.signIns.rotate(id("a"), 4, NOW.plusSeconds(3), LATER.plusSeconds(3))).isZero();
		SignIn found = this.signIns.find(id("a")).orElseThrow();
		assertThat(found.getGeneration()).isEqualTo(5);
		assertThat(found.getRotatedAt()).isEqualTo(NOW.plusSeconds(2));
		assertThat(found.getUsedAt()).isEqualTo(NOW.plusSeconds(2));
		assertThat(found.getExpiresAt()).isEqualTo(LATER.plusSeconds(2));
	}

	@Test
	void endsOnceAndStaysEnded() {
		start("a", NOW, 0, LIMIT);
		assertThat(this.signIns.end("somebody", id("a"), "SIGNED_OUT", NOW)).isZero();
		assertThat(this.signIns.end(this.user, id("a"), "SIGNED_OUT", NOW)).isEqualTo(1);
		assertThat(this.signIns.end(this.user, id("a"), "REUSE", NOW.plusSeconds(1))).isZero();
		assertThat(this.signIns.rotate(id("a"), 2, NOW, LATER)).isZero();
		SignIn found = this.signIns.find(id("a")).orElseThrow();
		assertThat(found.getReason()).isEqualTo("SIGNED_OUT");
		assertThat(found.getEndedAt()).isEqualTo(NOW);
		assertThat(this.signIns.live(this.user, NOW)).isEmpty();
		assertThat(this.changes.signInsEndedSince(NOW)).contains(new EndedSignIn(id("a"), this.user));
		assertThat(this.changes.signInsEndedSince(NOW.plusMillis(1)))
			.doesNotContain(new EndedSignIn(id("a"), this.user));
	}

	@Test
	void endsAllExceptOne() {
		start("a", NOW, 0, LIMIT);
		start("b", NOW, 0, LIMIT);
		start("c", NOW, 0, LIMIT);
		assertThat(this.signIns.endAll(this.user, id("b"), "PASSWORD_CHANGED", NOW)).containsExactlyInAnyOrder(id("a"),
				id("c"));
		assertThat(this.signIns.live(this.user, NOW)).extracting(SignIn::getId).containsExactly(id("b"));
		assertThat(this.accounts.findById(this.user).orElseThrow().getSignInVersion()).isEqualTo(1);
	}

	@Test
	void startsNothingForAnOlderVersionOrAMissingAccount() {
		this.signIns.endAll(this.user, "", "PASSWORD_CHANGED", NOW);
		assertThat(start("a", NOW, 0, LIMIT)).isEmpty();
		assertThat(this.signIns.live(this.user, NOW)).isEmpty();
		assertThat(start("a", NOW, 1, LIMIT)).isPresent();
		this.accounts.deleteById(this.user);
		assertThat(start("b", NOW, 1, LIMIT)).isEmpty();
	}

	/** In any order, no earlier sign-in survives. */
	@Test
	void noSignInThatBeganBeforeSurvivesTheEndOfAll() {
		Threads.atOnce(8, (thread) -> (thread == 4) ? this.signIns.endAll(this.user, "", "PASSWORD_CHANGED", NOW)
				: start("a" + thread, NOW, 0, LIMIT));
		assertThat(this.signIns.live(this.user, NOW)).isEmpty();
	}

	@Test
	void endsTheLeastRecentlyUsedAboveTheLimit() {
		start("a", NOW, 0, 2);
		start("b", NOW.plusSeconds(1), 0, 2);
		this.signIns.rotate(id("a"), 2, NOW.plusSeconds(2), LATER);
		assertThat(start("c", NOW.plusSeconds(3), 0, 2)).contains(List.of(id("b")));
		assertThat(this.signIns.find(id("b")).orElseThrow().getReason()).isEqualTo("TOO_MANY");
		assertThat(this.signIns.live(this.user, NOW)).extracting(SignIn::getId).containsExactly(id("c"), id("a"));
	}

	@Test
	void keepsTheLimitWhenManyStartAtOnce() {
		Threads.atOnce(8, (thread) -> start("a" + thread, NOW, 0, 3));
		assertThat(this.signIns.live(this.user, NOW)).hasSize(3);
	}

	@Test
	void expiredSignInsDoNotCountAndAreCleanedUp() {
		start("a", NOW, 0, 1);
		assertThat(start("b", LATER, 0, 1)).contains(List.of());
		assertThat(this.signIns.live(this.user, LATER)).isEmpty();
		int marked = IntStream
			.iterate(1, (changed) -> changed > 0,
					(changed) -> this.signIns.endExpired(LATER.plusMillis(1), "EXPIRED", 1))
			.sum();
		assertThat(marked).isGreaterThan(2);
		assertThat(this.signIns.find(id("a")).orElseThrow().getReason()).isEqualTo("EXPIRED");
		this.signIns.deleteEndedBefore(LATER, 1_000);
		assertThat(this.signIns.find(id("a"))).isPresent();
		this.signIns.deleteEndedBefore(LATER.plusMillis(1), 1_000);
		assertThat(this.signIns.find(id("a"))).isEmpty();
	}

	/**
	 * Their tokens have expired too. Thousands that expire in one hour must not be read
	 * by every server every second.
	 */
	@Test
	void expiredSignInsEndWhenTheyExpiredAndNotWhenTheyAreMarked() {
		start("a", NOW, 0, LIMIT);
		Instant marked = LATER.plusSeconds(3_600);
		while (this.signIns.endExpired(marked, "EXPIRED", LIMIT) > 0) {
			continue;
		}
		assertThat(this.signIns.find(id("a")).orElseThrow().getEndedAt()).isEqualTo(LATER);
		assertThat(this.changes.signInsEndedSince(LATER.plusSeconds(1))).extracting(EndedSignIn::id)
			.doesNotContain(id("a"));
	}

	@Test
	void marksAndDeletesMoreThanOneStatementTakes() {
		IntStream.range(0, 450).forEach((number) -> start("a" + number, NOW, 0, 1_000));
		assertThat(this.signIns.endAll(this.user, id("a7"), "SIGNED_OUT", NOW)).hasSize(449);
		assertThat(this.signIns.live(this.user, NOW)).hasSize(1);
	}

}
