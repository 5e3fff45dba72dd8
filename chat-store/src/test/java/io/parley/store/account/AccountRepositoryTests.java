package io.parley.store.account;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.domain.Limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class AccountRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private final AccountRepository accounts;

	private final AccountChanges changes;

	AccountRepositoryTests(AccountRepository accounts, AccountChanges changes) {
		this.accounts = accounts;
		this.changes = changes;
	}

	@Test
	void findsWhatWasSaved() {
		this.accounts.save(new Account("dora", "hash", NOW));
		assertThat(this.accounts.findById("dora")).hasValueSatisfying((account) -> {
			assertThat(account.getPasswordHash()).isEqualTo("hash");
			assertThat(account.getCreatedAt()).isEqualTo(NOW);
		});
	}

	@Test
	void findsTheExistingAccountsAmongManyNames() {
		this.accounts.save(new Account("ida", "hash", NOW));
		this.accounts.save(new Account("jan", "hash", NOW));
		List<String> names = new ArrayList<>(IntStream.range(0, 1_000).mapToObj((i) -> "nobody" + i).toList());
		names.addAll(List.of("ida", "jan", "JAN"));
		assertThat(this.accounts.existingAmong(names)).containsExactlyInAnyOrder("ida", "jan");
	}

	@Test
	void keepsTheInstantWhenClocksAreSetBack() {
		TimeZone before = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
		try {
			Instant second = Instant.parse("2026-10-25T01:30:00.123456Z");
			this.accounts.save(new Account("gert", "hash", second.minusSeconds(3600)));
			this.accounts.save(new Account("hans", "hash", second));
			assertThat(this.accounts.findById("gert")).get()
				.extracting(Account::getCreatedAt)
				.isEqualTo(second.minusSeconds(3600));
			assertThat(this.accounts.findById("hans")).get().extracting(Account::getCreatedAt).isEqualTo(second);
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	@Test
	void distinguishesUsernamesByATrailingSpace() {
		this.accounts.save(new Account("inge", "without", NOW));
		assertThat(this.accounts.findById("inge ")).isEmpty();
	}

	@Test
	void refusesAUsernameThatIsTakenAndKeepsTheFirstAccount() {
		this.accounts.save(new Account("erik", "first", NOW));
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.accounts.save(new Account("erik", "second", NOW)));
		assertThat(this.accounts.findById("erik")).get().extracting(Account::getPasswordHash).isEqualTo("first");
	}

	@Test
	void storesTheStatusAndWhenItChanged() {
		this.accounts.save(new Account("kai", "hash", NOW));
		this.accounts.save(new Account("lena", "hash", NOW).asOperator());
		this.accounts.save(new Account("mia", "hash", NOW));
		Instant later = NOW.plusSeconds(60);
		assertThat(this.accounts.findById("kai")).get().extracting(Account::getState).isEqualTo(AccountState.ACTIVE);
		assertThat(this.accounts.setStatus("kai", AccountState.SUSPENDED, false, later)).isEqualTo(1);
		assertThat(this.accounts.setStatus("nobody", AccountState.SUSPENDED, false, later)).isZero();
		AccountStatus kai = new AccountStatus("kai", AccountState.SUSPENDED, false, later);
		assertThat(this.changes.special()).contains(kai, new AccountStatus("lena", AccountState.ACTIVE, true, NOW))
			.noneMatch((status) -> status.username().equals("mia"));
		assertThat(this.changes.since(later)).contains(kai).noneMatch((status) -> status.username().equals("lena"));
		assertThat(this.changes.since(later.plusNanos(1_000))).isEmpty();
		assertThat(this.accounts.hasActiveOperator()).isTrue();
		assertThat(this.accounts.lockActiveOperators()).contains("lena").doesNotContain("kai", "mia");
		assertThat(this.accounts.lock("kai")).contains("kai");
		assertThat(this.accounts.lock("nobody")).isEmpty();
		this.accounts.setStatus("lena", AccountState.DISABLED, true, later);
		assertThat(this.accounts.lockActiveOperators()).doesNotContain("lena");
	}

	@Test
	void setsTheHashUnlessItChangedOrTheAccountIsDisabled() {
		this.accounts.save(new Account("nils", "hash", NOW));
		assertThat(this.accounts.replaceHash("nils", "other", "new")).isZero();
		assertThat(this.accounts.replaceHash("nils", "hash", "new")).isEqualTo(1);
		assertThat(this.accounts.setHash("nils", "newer")).isEqualTo(1);
		assertThat(this.accounts.findById("nils")).get().extracting(Account::getPasswordHash).isEqualTo("newer");
		this.accounts.setStatus("nils", AccountState.DISABLED, false, NOW);
		assertThat(this.accounts.setHash("nils", "newest")).isZero();
		assertThat(this.accounts.setHash("nobody", "newest")).isZero();
	}

	@Test
	void pagesByNameAndFindsSpecialCharacters() {
		for (String name : List.of("Otto_1", "otto-2", "otto%3")) {
			this.accounts.save(new Account(name, "hash", NOW));
		}
		this.accounts.setStatus("otto-2", AccountState.SUSPENDED, false, NOW);
		assertThat(page("%otto%", "", 10)).containsExactly("Otto_1", "otto%3", "otto-2");
		assertThat(page("%otto%", "Otto_1", 1)).containsExactly("otto%3");
		assertThat(page("%otto!_%", "", 10)).containsExactly("Otto_1");
		assertThat(page("%!%%", "", 10)).containsExactly("otto%3");
		assertThat(this.accounts.page("%otto%", List.of(AccountState.SUSPENDED), "", Limit.of(10)))
			.extracting(Account::getUsername)
			.containsExactly("otto-2");
	}

	private List<String> page(String pattern, String after, int limit) {
		return this.accounts.page(pattern, List.of(AccountState.values()), after, Limit.of(limit))
			.stream()
			.map(Account::getUsername)
			.toList();
	}

	@Test
	void distinguishesUsernamesByCase() {
		this.accounts.save(new Account("frida", "small", NOW));
		this.accounts.save(new Account("Frida", "capital", NOW));
		assertThat(this.accounts.findById("Frida")).get().extracting(Account::getPasswordHash).isEqualTo("capital");
		assertThat(this.accounts.findById("FRIDA")).isEmpty();
	}

}
