package io.parley.server.account;

import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;

/** Users change their own passwords. */
@UnlimitedServer
class PasswordTests {

	private static final String PATH = "/api/me/password";

	private static final String NEW = "a new secret of the tests";

	private final ChatServer server;

	private final AccountRepository accounts;

	@MockitoSpyBean
	private SignInEnder signIns;

	PasswordTests(ChatServer server, AccountRepository accounts) {
		this.server = server;
		this.accounts = accounts;
	}

	@Test
	void theNewPasswordReplacesTheOldOneAndEndsAllOtherSignIns() {
		ChatApi anna = this.server.user("p-anna");
		anna.put(PATH, Map.of("current", ChatApi.PASSWORD, "password", NEW)).expect(204);
		anna.get("/api/rooms").expect(200);
		assertThat(login("p-anna", ChatApi.PASSWORD)).isEqualTo(401);
		assertThat(login("p-anna", NEW)).isEqualTo(200);
		Mockito.verify(this.signIns).endOthers(eq("p-anna"), any(), eq(SignInEnd.PASSWORD_CHANGED));
	}

	@Test
	void aWrongCurrentPasswordChangesNothing() {
		ChatApi bert = this.server.user("p-bert");
		for (String wrong : List.of("", "a wrong password", ChatApi.PASSWORD + " ", NEW)) {
			ChatApi.Answer answer = bert.put(PATH, Map.of("current", wrong, "password", NEW)).expect(403);
			assertThat(answer.code()).isEqualTo("wrong-password");
		}
		bert.get("/api/rooms").expect(200);
		assertThat(login("p-bert", ChatApi.PASSWORD)).isEqualTo(200);
		Mockito.verify(this.signIns, Mockito.never()).endOthers(eq("p-bert"), any(), any());
	}

	@Test
	void badBodiesAreRefusedBeforeAnythingIsHashed() {
		ChatApi carl = this.server.user("p-carl");
		for (Map<String, ?> body : List.<Map<String, ?>>of(Map.of(), Map.of("current", ChatApi.PASSWORD),
				Map.of("password", NEW), Map.of("current", ChatApi.PASSWORD, "password", "short"),
				Map.of("current", ChatApi.PASSWORD, "password", "p-carl-p-carl-p-carl"),
				Map.of("current", ChatApi.PASSWORD, "password", "x".repeat(2_000)),
				Map.of("current", "x".repeat(2_000), "password", NEW),
				Map.of("current", List.of(ChatApi.PASSWORD), "password", NEW))) {
			assertThat(carl.put(PATH, body).expect(400).code()).isEqualTo("bad-request");
		}
		this.server.anonymous().put(PATH, Map.of("current", ChatApi.PASSWORD, "password", NEW)).expect(401);
		assertThat(login("p-carl", ChatApi.PASSWORD)).isEqualTo(200);
	}

	@Test
	void ofManyChangesAtOnceOneWins() throws Exception {
		ChatApi dora = this.server.user("p-dora");
		List<Integer> statuses = Parallel.run(12,
				(number) -> dora.put(PATH, Map.of("current", ChatApi.PASSWORD, "password", NEW + number)).status());
		assertThat(statuses).containsOnlyOnce(204).allMatch((status) -> List.of(204, 403, 503).contains(status));
		assertThat(login("p-dora", NEW + statuses.indexOf(204))).isEqualTo(200);
	}

	@Test
	void aPasswordHashedByAnOlderVersionIsHashedAnewAtSignIn() {
		ChatApi emil = this.server.user("p-emil");
		String argon = hash("p-emil");
		String bcrypt = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(ChatApi.PASSWORD);
		assertThat(this.accounts.replaceHash("p-emil", argon, bcrypt)).isEqualTo(1);
		assertThat(login("p-emil", "a wrong password")).isEqualTo(401);
		assertThat(hash("p-emil")).isEqualTo(bcrypt);
		assertThat(login("p-emil", ChatApi.PASSWORD)).isEqualTo(200);
		assertThat(hash("p-emil")).startsWith("{argon2}");
		assertThat(login("p-emil", ChatApi.PASSWORD)).isEqualTo(200);
		emil.put(PATH, Map.of("current", ChatApi.PASSWORD, "password", NEW)).expect(204);
		assertThat(login("p-emil", NEW)).isEqualTo(200);
	}

	private String hash(String username) {
		return this.accounts.findById(username).map(Account::getPasswordHash).orElseThrow();
	}

	private int login(String username, String password) {
		return this.server.anonymous()
			.post("/api/auth/login", Map.of("username", username, "password", password))
			.status();
	}

}
