package io.parley.store.push;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import io.parley.store.push.PushSetting.QuietHours;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class PushSettingRepositoryTests {

	private static final Instant UNTIL = Instant.parse("2026-07-01T10:00:00.123Z");

	private static final QuietHours NIGHT = new QuietHours(LocalTime.of(22, 30), LocalTime.of(0, 0),
			ZoneId.of("America/Argentina/ComodRivadavia"));

	private final PushSettingRepository settings;

	private final JdbcTemplate jdbc;

	PushSettingRepositoryTests(PushSettingRepository settings, JdbcTemplate jdbc) {
		this.settings = settings;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM push_setting");
		this.jdbc.update("DELETE FROM room_push_setting");
	}

	@Test
	void storesTheGlobalSettingsOfAUser() {
		PushSetting setting = new PushSetting(PushLevel.MENTIONS, UNTIL, NIGHT);
		this.settings.save("anna", setting);
		this.settings.save("bert", PushSetting.DEFAULT);
		assertThat(this.settings.of(List.of("anna", "bert", "cleo"))).containsOnlyKeys("anna", "bert")
			.containsEntry("anna", setting)
			.containsEntry("bert", PushSetting.DEFAULT);
	}

	@Test
	void replacesTheGlobalSettingsOfAUser() {
		this.settings.save("anna", new PushSetting(PushLevel.NONE, UNTIL, NIGHT));
		this.settings.save("anna", PushSetting.DEFAULT);
		assertThat(this.settings.of(List.of("anna"))).containsEntry("anna", PushSetting.DEFAULT);
	}

	@Test
	void storesTheRoomSettingsOfAUser() {
		RoomPushSetting setting = new RoomPushSetting(PushLevel.NONE, UNTIL);
		this.settings.save("r1", "anna", setting);
		this.settings.save("r1", "bert", RoomPushSetting.DEFAULT);
		this.settings.save("r2", "anna", RoomPushSetting.DEFAULT);
		assertThat(this.settings.of("r1", List.of("anna", "bert", "cleo"))).containsOnlyKeys("anna", "bert")
			.containsEntry("anna", setting)
			.containsEntry("bert", RoomPushSetting.DEFAULT);
		this.settings.save("r1", "anna", RoomPushSetting.DEFAULT);
		assertThat(this.settings.of("r1", List.of("anna"))).containsEntry("anna", RoomPushSetting.DEFAULT);
	}

	@Test
	void storesTimesInUtcWhateverTheTimeZoneIs() {
		// This local time does not exist in Berlin.
		Instant gap = Instant.parse("2026-03-29T02:30:00.123Z");
		PushSetting setting = new PushSetting(PushLevel.ALL, gap, NIGHT);
		TimeZone before = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
		try {
			this.settings.save("anna", setting);
			assertThat(this.settings.of(List.of("anna"))).containsEntry("anna", setting);
			assertThat(this.jdbc.queryForObject("SELECT muted_until FROM push_setting", LocalDateTime.class))
				.isEqualTo(LocalDateTime.parse("2026-03-29T02:30:00.123"));
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	@Test
	void refusesToInsertSettingsTwice() {
		this.settings.insert("anna", PushSetting.DEFAULT);
		this.settings.insert("r1", "anna", RoomPushSetting.DEFAULT);
		assertThatExceptionOfType(DuplicateKeyException.class)
			.isThrownBy(() -> this.settings.insert("anna", PushSetting.DEFAULT));
		assertThatExceptionOfType(DuplicateKeyException.class)
			.isThrownBy(() -> this.settings.insert("r1", "anna", RoomPushSetting.DEFAULT));
	}

	@Test
	void findsTheRoomsThatAUserHasMuted() {
		this.settings.save("none", "anna", new RoomPushSetting(PushLevel.NONE, null));
		this.settings.save("now", "anna", new RoomPushSetting(null, UNTIL));
		this.settings.save("before", "anna", new RoomPushSetting(PushLevel.MENTIONS, UNTIL.minusMillis(1)));
		this.settings.save("never", "anna", RoomPushSetting.DEFAULT);
		this.settings.save("other", "bert", new RoomPushSetting(PushLevel.NONE, null));
		assertThat(this.settings.mutedRooms("anna", UNTIL.minusMillis(1))).containsExactlyInAnyOrder("none", "now");
	}

	@Test
	void findsTheUsersWithALevelInARoom() {
		this.settings.save("r1", "anna", new RoomPushSetting(PushLevel.ALL, null));
		this.settings.save("r1", "bert", new RoomPushSetting(PushLevel.NONE, null));
		this.settings.save("r2", "cleo", new RoomPushSetting(PushLevel.ALL, null));
		assertThat(this.settings.usersWith("r1", PushLevel.ALL)).containsExactly("anna");
	}

	@Test
	void acceptsConcurrentUpdates() {
		List<String> users = IntStream.range(0, 100).mapToObj((i) -> "user" + i).toList();
		Threads.atOnce(8, (thread) -> {
			for (String user : users) {
				this.settings.save(user, new PushSetting(PushLevel.NONE, null, NIGHT));
				this.settings.save("r1", user, new RoomPushSetting(PushLevel.NONE, null));
			}
			return true;
		});
		assertThat(this.settings.of(users)).hasSize(100);
		assertThat(this.settings.of("r1", users)).hasSize(100);
	}

	@Test
	void readsMoreUsersThanFitIntoOneStatement() {
		List<String> users = IntStream.range(0, 450).mapToObj((i) -> "user" + i).toList();
		users.forEach((user) -> this.settings.save(user, PushSetting.DEFAULT));
		users.forEach((user) -> this.settings.save("r1", user, RoomPushSetting.DEFAULT));
		assertThat(this.settings.of(users)).hasSize(450);
		assertThat(this.settings.of("r1", users)).hasSize(450);
	}

}
