package io.parley.conformance;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.push.Device;
import io.parley.store.push.DeviceRepository;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@UnlimitedServer
class DeviceTests {

	private static final String TOKEN = "fGx_1-A:APA91b_" + "x".repeat(4_000);

	private final ChatServer server;

	private final DeviceRepository devices;

	private final JdbcTemplate jdbc;

	DeviceTests(ChatServer server, DeviceRepository devices, JdbcTemplate jdbc) {
		this.server = server;
		this.devices = devices;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM device");
	}

	@Test
	void areRegisteredOnceAndUpdatedLater() {
		JsonNode registered = register("anna", TOKEN).expect(201).body();
		assertThat(register("anna", TOKEN).expect(200).body().path("id")).isEqualTo(registered.path("id"));
		assertThat(registered.path("platform").asString()).isEqualTo("android");
		assertThat(registered.path("kind").asString()).isEqualTo("token");
		assertThat(this.devices.of("anna")).singleElement().satisfies((device) -> {
			assertThat(device.token()).isEqualTo(TOKEN);
			assertThat(device.id()).isEqualTo(registered.path("id").asString());
		});
	}

	@Test
	void areListedWithoutTheirToken() {
		register("anna", "secret-1").expect(201);
		register("bert", "secret-2").expect(201);
		ChatApi.Answer answer = this.server.user("anna").get("/api/devices").expect(200);
		assertThat(answer.body()).hasSize(1);
		assertThat(answer.body().get(0).propertyNames()).containsExactlyInAnyOrder("id", "platform", "kind", "seenAt");
		assertThat(answer.body().get(0).path("seenAt").asString())
			.isEqualTo(this.devices.of("anna").getFirst().seenAt().toString());
		assertThat(answer.response().body()).doesNotContain("secret");
	}

	@Test
	void mayBeInstallationIdsOfAnyPlatform() {
		post("anna", Map.of("token", "a", "platform", "ios", "kind", "fid")).expect(201);
		post("anna", Map.of("token", "b", "platform", "web", "kind", "token")).expect(201);
		assertThat(this.devices.of("anna")).extracting(Device::kind, Device::platform)
			.containsExactlyInAnyOrder(org.assertj.core.groups.Tuple.tuple(Device.Kind.FID, Device.Platform.IOS),
					org.assertj.core.groups.Tuple.tuple(Device.Kind.TOKEN, Device.Platform.WEB));
	}

	@Test
	void moveToTheUserWhoSignsInOnThem() {
		register("anna", "shared").expect(201);
		register("bert", "shared").expect(201);
		assertThat(this.server.user("anna").get("/api/devices").expect(200).body()).isEmpty();
		assertThat(this.devices.of("bert")).hasSize(1);
		assertThat(delete("anna", "shared").expect(404).code()).isEqualTo("not-found");
		assertThat(this.devices.of("bert")).hasSize(1);
	}

	@Test
	void replaceTheirTokenInOneRequest() {
		register("anna", "old").expect(201);
		register("bert", "his").expect(201);
		post("anna", Map.of("token", "new", "platform", "android", "replaces", "old")).expect(201);
		post("anna", Map.of("token", "new", "platform", "android", "replaces", "his")).expect(200);
		assertThat(this.devices.of("anna")).extracting(Device::token).containsExactly("new");
		assertThat(this.devices.of("bert")).extracting(Device::token).containsExactly("his");
	}

	@Test
	void areAtMostFifty() {
		for (int i = 0; i <= 50; i++) {
			register("anna", "t" + i).expect(201);
		}
		assertThat(this.devices.of("anna")).hasSize(50)
			.extracting(Device::token)
			.contains("t1", "t50")
			.doesNotContain("t0");
	}

	@Test
	void areDeletedByTheirToken() {
		String longest = "a:b_c-d." + "x".repeat(4_088);
		for (String token : List.of(TOKEN, longest, "a.b~c=d+e@f")) {
			register("anna", token).expect(201);
			delete("anna", token).expect(204);
			assertThat(delete("anna", token).expect(404).code()).isEqualTo("not-found");
			register("anna", token).expect(201);
			delete("anna", URLEncoder.encode(token, StandardCharsets.UTF_8)).expect(204);
		}
		assertThat(this.devices.of("anna")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "-,android,-,-,token", "'',android,-,-,token", "a/b,android,-,-,token", "a b,android,-,-,token",
					"..,android,-,-,token", "ä,android,-,-,token", "t,-,-,-,platform", "t,ANDROID,-,-,platform",
					"t,phone,-,-,platform", "t,android,apns,-,kind", "t,android,-,a/b,replaces" })
	void areNotRegisteredWithInvalidFields(String token, String platform, String kind, String replaces, String field) {
		Map<String, String> body = new HashMap<>();
		body.put("token", token);
		body.put("platform", platform);
		body.put("kind", kind);
		body.put("replaces", replaces);
		ChatApi.Answer answer = post("anna", body).expect(400);
		assertThat(answer.code()).isEqualTo("bad-request");
		assertThat(answer.body().path("detail").asString()).startsWith("'" + field + "' must");
		assertThat(this.devices.of("anna")).isEmpty();
	}

	@Test
	void areNotRegisteredWithATokenThatIsTooLong() {
		register("anna", "x".repeat(4_096)).expect(201);
		assertThat(register("anna", "x".repeat(4_097)).expect(400).code()).isEqualTo("bad-request");
		assertThat(this.server.user("anna").exchange("POST", "/api/devices", "no json").expect(400).code())
			.isEqualTo("bad-request");
	}

	private ChatApi.Answer register(String user, String token) {
		return post(user, Map.of("token", token, "platform", "android"));
	}

	private ChatApi.Answer post(String user, Map<String, String> body) {
		return this.server.user(user).post("/api/devices", body);
	}

	private ChatApi.Answer delete(String user, String token) {
		return this.server.user(user).delete("/api/devices/" + token);
	}

}
