package io.parley.baseline.inline;

import java.nio.file.Path;
import java.util.List;

import io.parley.baseline.ChatMessage;
import io.parley.fakefcm.Behaviour;
import io.parley.fakefcm.FakeFcm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:inline", "inline.fcm.access-token=fake-access-1" })
@ActiveProfiles("inline")
class InlineTests {

	@TempDir
	static Path directory;

	private static final FakeFcm FCM = FakeFcm.start();

	@Autowired
	private InlineRoomController controller;

	@Autowired
	private DeviceController devices;

	@Autowired
	private JdbcTemplate database;

	@DynamicPropertySource
	static void fcm(DynamicPropertyRegistry properties) {
		properties.add("inline.fcm.endpoint", FCM::endpoint);
		properties.add("spring.ssl.bundle.pem.fcm.truststore.certificate",
				() -> "file:" + FCM.trustCertificateFile(directory));
	}

	@AfterAll
	static void stop() {
		FCM.close();
	}

	@Test
	void storesAMessageAndAsksFcmForEachWhoIsAwayBeforeItIsPassedOn() {
		this.devices.add(new DeviceController.Devices("blue", List.of("one", "two")));
		this.devices.add(new DeviceController.Devices("green", List.of("other")));
		ChatMessage message = new ChatMessage("c1", "hello");
		assertThat(this.controller.send("blue", message)).isEqualTo(message);
		assertThat(FCM.requests("one")).isEqualTo(1);
		assertThat(FCM.requests("two")).isEqualTo(1);
		assertThat(FCM.requests("other")).as("a device of another room").isZero();
		assertThat(stored("c1")).isEqualTo(1);
	}

	@Test
	void keepsNothingWhenFcmRefuses() {
		this.devices.add(new DeviceController.Devices("red", List.of("gone")));
		FCM.behave("gone", Behaviour.Kind.UNAVAILABLE);
		assertThatIllegalStateException().isThrownBy(() -> this.controller.send("red", new ChatMessage("c2", "hello")));
		assertThat(stored("c2")).isZero();
	}

	private int stored(String clientId) {
		Integer count = this.database.queryForObject("SELECT count(*) FROM message WHERE client_id = ?", Integer.class,
				clientId);
		return (count != null) ? count : -1;
	}

}
