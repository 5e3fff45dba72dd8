package io.parley.server.account;

import java.util.List;
import java.util.Map;

import io.parley.server.account.RegistrationProperties.Mode;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** A server on which nobody registers: the default. */
@ProtocolTest(properties = { "chat.security.registration=closed", "chat.security.first-operator.username=olga",
		"chat.security.first-operator.password=" + ChatApi.PASSWORD })
class RegistrationTests {

	private static final String REGISTER = "/api/auth/register";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withInitializer(new ConfigDataApplicationContextInitializer())
		.withUserConfiguration(Application.class);

	private final ChatServer server;

	RegistrationTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void isClosedByDefaultAndOpenInTheDemo() {
		this.application.run((context) -> assertThat(context.getBean(RegistrationProperties.class).registration())
			.isEqualTo(Mode.CLOSED));
		this.application.withPropertyValues("spring.profiles.active=demo")
			.run((context) -> assertThat(context.getBean(RegistrationProperties.class).registration())
				.isEqualTo(Mode.OPEN));
	}

	@Test
	void nobodyRegistersWhenItIsClosed() {
		for (Map<String, String> account : List.of(Map.of("username", "anna", "password", ChatApi.PASSWORD),
				Map.of("username", "olga", "password", ChatApi.PASSWORD),
				Map.of("username", "anna", "password", ChatApi.PASSWORD, "invite", "AAAAAAAAAAAAAAAAAAAAAA"))) {
			ChatApi.Answer answer = this.server.anonymous().post(REGISTER, account).expect(403);
			assertThat(answer.code()).isEqualTo("registration-closed");
			assertThat(answer.body().path("detail").asString()).contains("ask an operator");
		}
		assertThat(this.server.anonymous()
			.post("/api/auth/login", Map.of("username", "anna", "password", ChatApi.PASSWORD))
			.status()).isEqualTo(401);
	}

	@Test
	void anOperatorCreatesAnAccountAndItsUserSetsThePassword() {
		ChatApi olga = this.server.anonymous().login("olga");
		ChatApi.Answer created = olga.post("/api/operator/users", Map.of("username", "bert")).expect(201);
		assertThat(created.body().path("path").asString())
			.isEqualTo("/account.html#reset=" + created.body().path("token").asString());
		assertThat(created.response().body()).doesNotContain("password");
		String password = "chosen by its own user";
		this.server.anonymous()
			.post("/api/auth/reset", Map.of("token", created.body().path("token").asString(), "password", password))
			.expect(204);
		this.server.anonymous().login("bert", password).get("/api/rooms").expect(200);
		assertThat(olga.post("/api/operator/users", Map.of("username", "bert")).expect(409).code())
			.isEqualTo("username-taken");
		assertThat(olga.post("/api/operator/users", Map.of("username", "not a name")).expect(400).code())
			.isEqualTo("bad-request");
	}

	@Test
	void thePageOfALinkIsOpenToEverybody() {
		String page = this.server.anonymous().get("/account.html").expect(200).response().body();
		assertThat(page).contains("src=\"/account.js\"").doesNotContain("onclick", "<script>");
		assertThat(this.server.anonymous().get("/account.js").expect(200).response().body()).contains("/api/auth/reset",
				"/api/auth/register");
	}

	@EnableConfigurationProperties(RegistrationProperties.class)
	static class Application {

	}

}
