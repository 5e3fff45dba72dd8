package io.parley.store.account;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class AccountRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private final AccountRepository accounts;

	AccountRepositoryTests(AccountRepository accounts) {
		this.accounts = accounts;
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
	void distinguishesUsernamesByCase() {
		this.accounts.save(new Account("frida", "small", NOW));
		this.accounts.save(new Account("Frida", "capital", NOW));
		assertThat(this.accounts.findById("Frida")).get().extracting(Account::getPasswordHash).isEqualTo("capital");
		assertThat(this.accounts.findById("FRIDA")).isEmpty();
	}

}
