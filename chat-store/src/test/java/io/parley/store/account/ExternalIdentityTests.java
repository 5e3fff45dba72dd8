package io.parley.store.account;

import java.time.Instant;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DuplicateKeyException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Users of external issuers, and their tokens that are refused. */
@StoreTest
class ExternalIdentityTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private final ExternalIdentities identities;

	private final ExternalSignOutRepository signOuts;

	ExternalIdentityTests(ExternalIdentities identities, ExternalSignOutRepository signOuts) {
		this.identities = identities;
		this.signOuts = signOuts;
	}

	@Test
	void isFoundByIssuerAndSubjectExactly() {
		this.identities.add("https://one", "sub", "x-anna", NOW);
		this.identities.add("https://two", "sub", "x-bert", NOW);
		this.identities.add("https://one", "SUB", "x-carl", NOW);
		assertThat(this.identities.find("https://one", "sub")).contains("x-anna");
		assertThat(this.identities.find("https://two", "sub")).contains("x-bert");
		assertThat(this.identities.find("https://one", "SUB")).contains("x-carl");
		assertThat(this.identities.find("https://one", "sub ")).isEmpty();
		assertThat(this.identities.find("https://one", "süb")).isEmpty();
		assertThat(this.identities.isExternal("x-anna")).isTrue();
		assertThat(this.identities.isExternal("X-anna")).isFalse();
	}

	@Test
	void belongsToOneAccountAndTheAccountToOne() {
		this.identities.add("https://one", "dora", "x-dora", NOW);
		assertThatThrownBy(() -> this.identities.add("https://one", "dora", "x-other", NOW))
			.isInstanceOf(DuplicateKeyException.class);
		assertThatThrownBy(() -> this.identities.add("https://one", "erik", "x-dora", NOW))
			.isInstanceOf(DuplicateKeyException.class);
	}

	@Test
	void holdsLongSubjectsOfAllLanguages() {
		String subject = "\uD83D\uDE00".repeat(ExternalIdentities.MAX_LENGTH / 2);
		this.identities.add("https://one", subject, "x-long", NOW);
		assertThat(this.identities.find("https://one", subject)).contains("x-long");
	}

	@Test
	void aSignOutIsReadUntilItsTokensHaveExpired() {
		ExternalSignOut first = new ExternalSignOut("~1", "anna", NOW, null, NOW, NOW.plusSeconds(60));
		this.signOuts.put(first);
		assertThat(this.signOuts.find("~1")).contains(first);
		assertThat(this.signOuts.live(NOW)).contains(first);
		assertThat(this.signOuts.live(NOW.plusSeconds(60))).doesNotContain(first);
		assertThat(this.signOuts.endedSince(NOW)).contains(first);
		assertThat(this.signOuts.endedSince(NOW.plusMillis(1))).doesNotContain(first);
		this.signOuts.removeExpired(NOW.plusSeconds(60));
		assertThat(this.signOuts.find("~1")).contains(first);
		assertThat(this.signOuts.removeExpired(NOW.plusSeconds(61))).isPositive();
		assertThat(this.signOuts.find("~1")).isEmpty();
	}

	@Test
	void aLaterSignOutNeverRefusesLess() {
		this.signOuts.put(new ExternalSignOut("~2", "anna", NOW.plusSeconds(9), null, NOW, NOW.plusSeconds(60)));
		this.signOuts.put(new ExternalSignOut("~2", "anna", NOW, "~k", NOW.plusSeconds(1), NOW.plusSeconds(30)));
		assertThat(this.signOuts.find("~2")).contains(
				new ExternalSignOut("~2", "anna", NOW.plusSeconds(9), "~k", NOW.plusSeconds(1), NOW.plusSeconds(60)));
	}

}
