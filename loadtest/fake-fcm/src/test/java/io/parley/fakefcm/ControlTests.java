package io.parley.fakefcm;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ControlTests {

	private FakeFcm fcm = FakeFcm.start();

	private FcmClient client;

	@BeforeEach
	void connect() throws Exception {
		this.client = new FcmClient(this.fcm);
	}

	@AfterEach
	void close() {
		this.client.close();
		this.fcm.close();
	}

	@Test
	void changesTheBehaviourOfAllOfOneTokenAndOfFirstRequests() throws Exception {
		behave("{\"kind\":\"unavailable\",\"retryAfter\":\"9\",\"latencyMillis\":1}");
		assertThat(this.client.send("a").headers().firstValue("retry-after")).contains("9");
		behave("{\"kind\":\"unregistered\",\"token\":\"a\"}");
		behave("{\"kind\":\"ok\"}");
		behave("{\"kind\":\"internal\",\"first\":1}");
		assertThat(this.client.send("a").statusCode()).isEqualTo(404);
		assertThat(this.client.send("b").statusCode()).isEqualTo(500);
		assertThat(this.client.send("b").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\":\"nonsense\"}", "{}", "", "no json" })
	void saysWhatToSendInstead(String body) throws Exception {
		assertThat(this.client.control("PUT", "/behaviour", body).statusCode()).isEqualTo(400);
		assertThat(this.client.control("PUT", "/behaviour", body).body()).contains("quota-exceeded");
		assertThat(this.client.send("a").statusCode()).isEqualTo(200);
	}

	@Test
	void showsCountsAndMessages() throws Exception {
		this.client.send("a", 1);
		this.client.send("a", 1);
		this.client.send("b", 2);
		JsonNode counts = json("/counts");
		assertThat(counts.path("requests").asInt()).isEqualTo(3);
		assertThat(counts.path("delivered").asInt()).isEqualTo(3);
		assertThat(counts.path("distinctTokens").asInt()).isEqualTo(2);
		assertThat(counts.path("duplicates").asInt()).isOne();
		assertThat(counts.path("connections").asInt()).isOne();
		assertThat(json("/messages?token=a")).hasSize(2);
		assertThat(json("/messages?token=b").at("/0/message/data/position").asString()).isEqualTo("2");
		assertThat(json("/messages")).hasSize(3);
	}

	@Test
	void theCommandSaysHowToPointAWorkerAtIt(@TempDir Path directory) {
		assertThat(FakeFcmCommand.instructions(this.fcm, directory)).contains(
				"CHAT_PUSH_FCM_ENDPOINT=" + this.fcm.endpoint(),
				"CHAT_PUSH_FCM_CREDENTIALS=" + directory.resolve("service-account.json"), "disconnect-delivered");
		assertThat(directory.resolve("fake-fcm.crt")).content().startsWith("-----BEGIN CERTIFICATE-----");
	}

	private void behave(String body) throws Exception {
		assertThat(this.client.control("PUT", "/behaviour", body).statusCode()).isEqualTo(204);
	}

	private JsonNode json(String path) throws Exception {
		return JsonMapper.shared().readTree(this.client.control("GET", path, "").body());
	}

}
