package io.parley.server.account;

import java.time.Instant;
import java.util.List;

import io.parley.server.audit.AuditLog;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.AccountState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How a server that has no operator gets one. */
@ProtocolTest
class FirstOperatorTests {

	private final ChatServer server;

	private final AccountService accounts;

	private final AccountRepository repository;

	private final AccountStateCache states;

	private final PasswordRules rules;

	private final AuditLog audit;

	FirstOperatorTests(ChatServer server, AccountService accounts, AccountRepository repository,
			AccountStateCache states, PasswordRules rules, AuditLog audit) {
		this.server = server;
		this.accounts = accounts;
		this.repository = repository;
		this.states = states;
		this.rules = rules;
		this.audit = audit;
	}

	@BeforeEach
	void removeOperators() {
		for (Account operator : operators()) {
			this.repository.setStatus(operator.getUsername(), AccountState.ACTIVE, false, Instant.now());
		}
		this.states.refresh();
	}

	@Test
	void isCreatedWhenThereIsNone() {
		start("f-anna", ChatApi.PASSWORD);
		this.server.anonymous().login("f-anna").get("/api/operator/users").expect(200);
	}

	@Test
	void isNotCreatedWhenThereIsOne() {
		start("f-bert", ChatApi.PASSWORD);
		start("f-carl", ChatApi.PASSWORD);
		start("f-bert", "another password of his");
		assertThat(operators()).extracting(Account::getUsername).containsExactly("f-bert");
		assertThat(this.repository.findById("f-carl")).isEmpty();
		this.server.anonymous().login("f-bert");
	}

	@Test
	void whoHasTheNameButNotThePasswordBecomesNoOperator() {
		ChatApi squatter = this.server.user("f-dora");
		assertThatThrownBy(() -> start("f-dora", "another password of hers"))
			.isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("chat.security.first-operator.username");
		assertThat(operators()).isEmpty();
		squatter.get("/api/operator/users").expect(403);
		start("f-dora", ChatApi.PASSWORD);
		squatter.get("/api/operator/users").expect(200);
	}

	@Test
	void aDisabledAccountBecomesNoOperator() {
		this.server.user("f-emil");
		this.repository.setStatus("f-emil", AccountState.DISABLED, true, Instant.now());
		assertThatThrownBy(() -> start("f-emil", ChatApi.PASSWORD)).isInstanceOf(ImpossibleSettingsException.class);
		assertThat(operators()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "f-weak, short, 15 to 256", "f-weak, f-weak-f-weak-f-weak, an attacker tries",
			"not a name, a secret of the tests, letters" })
	void badSettingsFailTheStart(String username, String password, String sentence) {
		assertThatThrownBy(() -> start(username, password)).isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("chat.security.first-operator")
			.hasMessageContaining(sentence)
			.hasMessageNotContaining(password);
		assertThat(operators()).isEmpty();
	}

	@Test
	void nothingHappensWithoutTheSettings() {
		start(null, null);
		start("f-anyone", null);
		start("f-anyone", "");
		start("", ChatApi.PASSWORD);
		assertThat(operators()).isEmpty();
		assertThat(this.repository.findById("f-anyone")).isEmpty();
	}

	@Test
	void theRemovedSettingFailsTheStart() {
		for (String key : List.of("chat.security.operators", "chat.security.operators[0]")) {
			assertThatThrownBy(() -> firstOperator(null, null, new MockEnvironment().withProperty(key, "anna")))
				.isInstanceOf(ImpossibleSettingsException.class)
				.hasMessageContaining("chat.security.first-operator.username");
		}
		firstOperator(null, null, new MockEnvironment().withProperty("chat.security.operators", ""));
	}

	@Test
	void anOperatorWithTheDemoPasswordIsNoneOutsideOfTheDemo() {
		this.accounts.registerForDemo("f-alice");
		this.accounts.ensureDemoOperator("f-alice");
		assertThat(operators()).extracting(Account::getUsername).containsExactly("f-alice");
		MockEnvironment demo = new MockEnvironment();
		demo.setActiveProfiles("demo");
		firstOperator(null, null, demo).prepare();
		assertThat(operators()).hasSize(1);
		start("f-olaf", ChatApi.PASSWORD);
		assertThat(operators()).extracting(Account::getUsername).containsExactly("f-olaf");
	}

	@Test
	void aDemoStartMakesNoStrangerAnOperator() {
		this.server.user("f-alice-too");
		this.accounts.ensureDemoOperator("f-alice-too");
		this.accounts.ensureDemoOperator("f-nobody");
		assertThat(operators()).isEmpty();
	}

	@Test
	void theSettingsAreNotPrinted() {
		assertThat(new FirstOperatorProperties("olga", "her secret").toString()).doesNotContain("her secret");
	}

	private List<Account> operators() {
		return this.repository.findByStateAndOperator(AccountState.ACTIVE, true);
	}

	private void start(String username, String password) {
		firstOperator(username, password, new MockEnvironment()).prepare();
	}

	private FirstOperator firstOperator(String username, String password, MockEnvironment environment) {
		return new FirstOperator(new FirstOperatorProperties(username, password), this.accounts, this.repository,
				this.states, this.rules, this.audit, environment);
	}

}
