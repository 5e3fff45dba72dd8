package io.parley.store.push;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.TimeZone;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.AccountState;
import io.parley.store.push.Device.Kind;
import io.parley.store.push.Device.Platform;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class DeviceRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final String TOKEN = "fGx_1:APA91b-" + "x".repeat(4083);

	private final DeviceRepository devices;

	private final AccountRepository accounts;

	private final JdbcTemplate jdbc;

	DeviceRepositoryTests(DeviceRepository devices, AccountRepository accounts, JdbcTemplate jdbc) {
		this.devices = devices;
		this.accounts = accounts;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM device");
	}

	@Test
	void storesTheRegistrationOfADevice() {
		assertThat(register("anna", TOKEN, NOW)).isTrue();
		assertThat(this.devices.of("anna")).containsExactly(
				new Device(Device.id(Kind.TOKEN, TOKEN), "anna", Kind.TOKEN, TOKEN, Platform.ANDROID, NOW));
	}

	@Test
	void notesThatADeviceWasSeenAgain() {
		register("anna", "t", NOW);
		assertThat(this.devices.register("anna", Kind.TOKEN, "t", Platform.WEB, NOW.plusSeconds(1))).isFalse();
		assertThat(this.devices.of("anna")).singleElement().satisfies((device) -> {
			assertThat(device.seenAt()).isEqualTo(NOW.plusSeconds(1));
			assertThat(device.platform()).isEqualTo(Platform.WEB);
		});
	}

	@Test
	void movesATokenToTheUserWhoRegisteredItLast() {
		register("anna", "t", NOW);
		assertThat(register("bert", "t", NOW)).isTrue();
		assertThat(this.devices.of("anna")).isEmpty();
		assertThat(this.devices.of("bert")).hasSize(1);
		assertThat(this.devices.remove("anna", "t")).isFalse();
		assertThat(this.devices.of("bert")).hasSize(1);
	}

	@Test
	void distinguishesTokensAndInstallationIds() {
		register("anna", "same", NOW);
		assertThat(this.devices.register("anna", Kind.FID, "same", Platform.IOS, NOW)).isTrue();
		assertThat(this.devices.of("anna")).extracting(Device::kind).containsExactlyInAnyOrder(Kind.TOKEN, Kind.FID);
		assertThat(this.devices.remove("anna", "same")).isTrue();
		assertThat(this.devices.remove("anna", "same")).isFalse();
		assertThat(this.devices.of("anna")).isEmpty();
	}

	@Test
	void replacesTheTokenThatADeviceHadBefore() {
		register("anna", "old", NOW);
		register("bert", "his", NOW);
		assertThat(replace("anna", "new", "old")).isTrue();
		assertThat(replace("anna", "new", "new")).isFalse();
		assertThat(replace("anna", "new", "his")).isFalse();
		assertThat(this.devices.of("anna")).extracting(Device::token).containsExactly("new");
		assertThat(this.devices.of("bert")).extracting(Device::token).containsExactly("his");
	}

	@Test
	void forgetsTheDeviceSeenLongestAgoWhenThereAreTooMany() {
		register("bert", "his", NOW);
		for (int i = 0; i < 50; i++) {
			register("anna", "t" + i, NOW.plusSeconds(i));
		}
		register("anna", "t0", NOW.plusSeconds(50));
		assertThat(this.devices.of("anna")).hasSize(50);
		register("anna", "one-more", NOW.plusSeconds(51));
		assertThat(this.devices.of("anna")).hasSize(50)
			.extracting(Device::token)
			.startsWith("one-more", "t0")
			.doesNotContain("t1");
		replace("anna", "newest", "one-more");
		assertThat(this.devices.of("anna")).hasSize(50).extracting(Device::token).contains("t2");
		assertThat(this.devices.of("bert")).hasSize(1);
	}

	@Test
	void acceptsConcurrentRegistrationsOfAToken() {
		List<Boolean> fresh = Threads.atOnce(16, (thread) -> register("anna", "t", NOW));
		assertThat(fresh).filteredOn((one) -> one).hasSize(1);
		assertThat(this.devices.of("anna")).hasSize(1);
	}

	@Test
	void refusesDevicesOfAUserWhoseAccountIsDisabled() {
		this.accounts.save(new Account("d-anna", "hash", NOW));
		assertThat(register("d-anna", "t", NOW)).isTrue();
		this.accounts.setStatus("d-anna", AccountState.DISABLED, false, NOW);
		assertThatExceptionOfType(DisabledOwnerException.class).isThrownBy(() -> register("d-anna", "another", NOW));
		assertThat(this.devices.of("d-anna")).extracting(Device::token).containsExactly("t");
		this.accounts.setStatus("d-anna", AccountState.SUSPENDED, false, NOW);
		assertThat(register("d-anna", "another", NOW)).isTrue();
	}

	@Test
	void keepsADeviceThatRegisteredAgainAfterTheLookup() {
		register("anna", "t", NOW);
		Device before = this.devices.of("anna").getFirst();
		register("anna", "t", NOW.plusMillis(1));
		assertThat(this.devices.removeUnchanged(before)).isFalse();
		Device moved = this.devices.of("anna").getFirst();
		register("bert", "t", moved.seenAt());
		assertThat(this.devices.removeUnchanged(moved)).isFalse();
		assertThat(this.devices.removeUnchanged(this.devices.of("bert").getFirst())).isTrue();
		assertThat(this.devices.of("bert")).isEmpty();
	}

	@Test
	void forgetsDevicesThatWereNotSeenForLong() {
		register("anna", "old", NOW.minusMillis(1));
		register("anna", "new", NOW);
		assertThat(this.devices.removeUnseenSince(NOW)).isEqualTo(1);
		assertThat(this.devices.of("anna")).extracting(Device::token).containsExactly("new");
	}

	@Test
	void storesTimesInUtcWhateverTheTimeZoneIs() {
		// This local time does not exist in Berlin.
		Instant gap = Instant.parse("2026-03-29T02:30:00.123Z");
		TimeZone before = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
		try {
			register("anna", "t", gap);
			assertThat(this.devices.of("anna")).extracting(Device::seenAt).containsExactly(gap);
			assertThat(this.jdbc.queryForObject("SELECT seen_at FROM device", LocalDateTime.class))
				.isEqualTo(LocalDateTime.parse("2026-03-29T02:30:00.123"));
			assertThat(this.devices.removeUnseenSince(gap)).isZero();
			assertThat(this.devices.removeUnchanged(this.devices.of("anna").getFirst())).isTrue();
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	@Test
	void refusesToStoreADeviceTwice() {
		this.devices.save(new RegisteredDevice("id", "anna", Kind.TOKEN, "t", Platform.WEB, NOW));
		assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(
				() -> this.devices.save(new RegisteredDevice("id", "bert", Kind.TOKEN, "t", Platform.WEB, NOW)));
	}

	@Test
	void findsTheDevicesOfManyUsers() {
		List<String> users = java.util.stream.IntStream.range(0, 450).mapToObj((i) -> "user" + i).toList();
		users.forEach((user) -> register(user, "of-" + user, NOW));
		register("user7", "second", NOW);
		assertThat(this.devices.of(users)).hasSize(450);
		assertThat(this.devices.of(List.of("user7", "user8", "nobody"))).containsOnlyKeys("user7", "user8")
			.hasEntrySatisfying("user7", (found) -> assertThat(found).extracting(Device::token)
				.containsExactlyInAnyOrder("of-user7", "second"));
	}

	private boolean register(String user, String token, Instant now) {
		return this.devices.register(user, Kind.TOKEN, token, Platform.ANDROID, now);
	}

	private boolean replace(String user, String token, String replaced) {
		return this.devices.register(user, Kind.TOKEN, token, Platform.ANDROID, replaced, NOW.plusSeconds(60));
	}

}
