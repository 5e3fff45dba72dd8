package io.parley.store.push;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

/** The devices of the users. A token belongs to the user who registered it last. */
public class DeviceRepository {

	private static final int MAX_OF_USER = 50;

	private static final String SELECT = "SELECT id, username, kind, token, platform, seen_at FROM device WHERE ";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	DeviceRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Adds a device, or moves it to that user, or notes that it was seen.
	 * @return whether it was not this user's before
	 */
	public boolean register(String username, Device.Kind kind, String token, Device.Platform platform, Instant now) {
		return register(username, kind, token, platform, null, now);
	}

	/**
	 * The same as without {@code replaced}, and the device that had that token is
	 * forgotten if it was this user's. Of more than 50 devices, the one that was seen
	 * longest ago is forgotten too.
	 * @param replaced the token that the device had before, or null
	 */
	public boolean register(String username, Device.Kind kind, String token, Device.Platform platform,
			@Nullable String replaced, Instant now) {
		TransactionCallback<Boolean> registration = (status) -> {
			if (replaced != null && !replaced.equals(token)) {
				remove(username, replaced);
			}
			boolean fresh = save(username, kind, token, platform, now);
			if (fresh) {
				forgetTheOldest(username);
			}
			return fresh;
		};
		try {
			return Boolean.TRUE.equals(this.transaction.execute(registration));
		}
		catch (DuplicateKeyException | ConcurrencyFailureException ex) {
			// The same token was registered at the same moment: now it is there.
			return Boolean.TRUE.equals(this.transaction.execute(registration));
		}
	}

	private boolean save(String username, Device.Kind kind, String token, Device.Platform platform, Instant now) {
		String id = Device.id(kind, token);
		List<String> owner = this.jdbc.queryForList("SELECT username FROM device WHERE id = ? FOR UPDATE", String.class,
				id);
		if (owner.isEmpty()) {
			this.jdbc.update("""
					INSERT INTO device (id, username, kind, token, platform, registered_at, seen_at)
					VALUES (?, ?, ?, ?, ?, ?, ?)""", id, username, kind.name(), token, platform.name(), UtcTime.of(now),
					UtcTime.of(now));
			return true;
		}
		this.jdbc.update("UPDATE device SET username = ?, platform = ?, seen_at = ? WHERE id = ?", username,
				platform.name(), UtcTime.of(now), id);
		return !owner.getFirst().equals(username);
	}

	private void forgetTheOldest(String username) {
		this.jdbc.batchUpdate("DELETE FROM device WHERE id = ? AND username = ?",
				of(username).stream()
					.skip(MAX_OF_USER)
					.map((device) -> new Object[] { device.id(), username })
					.toList());
	}

	/** Whether the user had a device with that token, which is forgotten now. */
	public boolean remove(String username, String token) {
		return this.jdbc.update("DELETE FROM device WHERE id IN (?, ?) AND username = ?",
				Device.id(Device.Kind.TOKEN, token), Device.id(Device.Kind.FID, token), username) > 0;
	}

	/** Forgets a device that has not registered again since it was looked up. */
	public boolean removeUnchanged(Device device) {
		return this.jdbc.update("DELETE FROM device WHERE id = ? AND username = ? AND seen_at = ?", device.id(),
				device.username(), UtcTime.of(device.seenAt())) > 0;
	}

	/** Forgets devices that were not seen since then; returns how many. */
	public int removeUnseenSince(Instant time) {
		return this.jdbc.update("DELETE FROM device WHERE seen_at < ?", UtcTime.of(time));
	}

	/** The devices of a user, the one seen last first. */
	public List<Device> of(String username) {
		return this.jdbc.query(SELECT + "username = ? ORDER BY seen_at DESC, id", DeviceRepository::device, username);
	}

	/** The devices of the users; who has none is missing. */
	public Map<String, List<Device>> of(Collection<String> usernames) {
		return Chunks.of(usernames)
			.stream()
			.flatMap((chunk) -> this.jdbc
				.query(SELECT + "username IN " + Chunks.places(chunk) + " ORDER BY id", DeviceRepository::device,
						chunk.toArray())
				.stream())
			.collect(Collectors.groupingBy(Device::username));
	}

	/** Those of the users who have a device. */
	public Set<String> ownersAmong(Collection<String> usernames) {
		Set<String> owners = new HashSet<>();
		Chunks.of(usernames)
			.forEach((chunk) -> owners.addAll(this.jdbc.queryForList(
					"SELECT DISTINCT username FROM device WHERE username IN " + Chunks.places(chunk), String.class,
					chunk.toArray())));
		return owners;
	}

	private static Device device(ResultSet row, int index) throws SQLException {
		return new Device(row.getString("id"), row.getString("username"), Device.Kind.valueOf(row.getString("kind")),
				row.getString("token"), Device.Platform.valueOf(row.getString("platform")),
				UtcTime.read(row, "seen_at"));
	}

}
