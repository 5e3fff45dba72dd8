package io.parley.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.parley.store.push.Device.Kind;
import io.parley.store.push.Device.Platform;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushSetting;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.RoomPushSetting;
import io.parley.store.room.BlockRepository;
import io.parley.store.room.Memberships;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/** The statements that JPA sends, none of which it adds on its own. */
@SpringBootTest(classes = { StoreApplication.class, StatementTests.Recording.class },
		properties = "spring.datasource.url=jdbc:h2:mem:statements")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class StatementTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final List<String> MANY = IntStream.range(0, 450).mapToObj((i) -> "user" + i).toList();

	private final DeviceRepository devices;

	private final PushSettingRepository settings;

	private final BlockRepository blocks;

	private final Memberships memberships;

	private final List<String> sent;

	StatementTests(DeviceRepository devices, PushSettingRepository settings, BlockRepository blocks,
			Memberships memberships, Recording recording) {
		this.devices = devices;
		this.settings = settings;
		this.blocks = blocks;
		this.memberships = memberships;
		this.sent = recording.sent;
	}

	/** Records the first word of each statement. */
	@TestConfiguration(proxyBeanMethods = false)
	static class Recording {

		private final List<String> sent = new ArrayList<>();

		@Bean
		HibernatePropertiesCustomizer recorder() {
			StatementInspector recorder = (sql) -> {
				this.sent.add(sql.toLowerCase(Locale.ROOT).split(" ")[0]);
				return sql;
			};
			return (properties) -> properties.put(JdbcSettings.STATEMENT_INSPECTOR, recorder);
		}

	}

	@BeforeEach
	void clear() {
		this.sent.clear();
	}

	/** The first statement locks the account. */
	@Test
	void registersADevice() {
		this.devices.register("anna", Kind.TOKEN, "t", Platform.WEB, NOW);
		assertThat(this.sent).containsExactly("select", "select", "insert", "select");
	}

	@Test
	void registersADeviceAgain() {
		this.devices.register("bert", Kind.TOKEN, "again", Platform.WEB, NOW);
		this.sent.clear();
		this.devices.register("bert", Kind.TOKEN, "again", Platform.WEB, NOW.plusMillis(1));
		assertThat(this.sent).containsExactly("select", "select", "update");
	}

	@Test
	void savesSettings() {
		this.settings.save("anna", PushSetting.DEFAULT);
		this.settings.save("anna", PushSetting.DEFAULT);
		assertThat(this.sent).containsExactly("update", "insert", "update");
	}

	@Test
	void savesSettingsOfARoom() {
		this.settings.save("r1", "anna", RoomPushSetting.DEFAULT);
		this.settings.save("r1", "anna", RoomPushSetting.DEFAULT);
		assertThat(this.sent).containsExactly("update", "insert", "update");
	}

	@Test
	void blocksAUser() {
		this.blocks.add("anna", "bert", 10, NOW);
		assertThat(this.sent).containsExactly("select", "select", "select", "insert");
	}

	@Test
	void bansAUser() {
		this.memberships.remove("room", "bert", "anna", NOW);
		// The lock, the owner, the room, the role; then the ban.
		assertThat(this.sent).containsExactly("select", "select", "select", "select", "select", "insert");
	}

	@Test
	void readsManyRowsWithFewStatements() {
		MANY.forEach((user) -> {
			this.devices.register(user, Kind.TOKEN, "of-" + user, Platform.WEB, NOW);
			this.settings.save(user, PushSetting.DEFAULT);
			this.settings.save("r1", user, RoomPushSetting.DEFAULT);
		});
		this.sent.clear();
		this.devices.of(MANY);
		this.devices.ownersAmong(MANY);
		this.settings.of(MANY);
		this.settings.of("r1", MANY);
		this.blocks.blockersAmong(MANY, "anna");
		assertThat(this.sent).hasSize(5 * 3).containsOnly("select");
	}

}
