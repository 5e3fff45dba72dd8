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

/**
 * Stores the devices of the users. A token belongs to the user who registered it last.
 */
public class DeviceRepository {

	private static final int MAX_PER_USER = 50;

	private static final String SELECT = "SELECT id, username, kind, token, platform, seen_at FROM device WHERE ";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	DeviceRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Adds a device, moves it to this user, or updates the time at which it was last
	 * seen.
	 * @return whether the device did not belong to this user before
	 */
	public boolean register(String username, Device.Kind kind, String token, Device.Platform platform, Instant now) {
		return register(username, kind, token, platform, null, now);
	}

	/**
	 * Does the same as without {@code replaced}, and removes the device that had the
	 * replaced token if it belonged to this user. A user has at most 50 devices: those
	 * that were seen longest ago are removed.
	 * @param replaced the previous token of the device, or null
	 */
	public boolean register(String username, Device.Kind kind, String token, Device.Platform platform,
			@Nullable String replaced, Instant now) {
		TransactionCallback<Boolean> registration = (status) -> {
			if (replaced != null && !replaced.equals(token)) {
				remove(username, replaced);
			}
			boolean fresh = save(username, kind, token, platform, now);
			if (fresh) {
				removeOldest(username);
			}
			return fresh;
		};
		try {
			return Boolean.TRUE.equals(this.transaction.execute(registration));
		}
		catch (DuplicateKeyException | ConcurrencyFailureException ex) {
			// The same token was registered at the same moment: now the row exists.
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

	private void removeOldest(String username) {
		this.jdbc.batchUpdate("DELETE FROM device WHERE id = ? AND username = ?",
				of(username).stream()
					.skip(MAX_PER_USER)
					.map((device) -> new Object[] { device.id(), username })
					.toList());
	}

	/**
	 * Removes the user's device with that token.
	 * @return whether there was one
	 */
	public boolean remove(String username, String token) {
		return this.jdbc.update("DELETE FROM device WHERE id IN (?, ?) AND username = ?",
				Device.id(Device.Kind.TOKEN, token), Device.id(Device.Kind.FID, token), username) > 0;
	}

	/**
	 * Removes a device, unless it has registered again since it was looked up.
	 * @return whether it was removed
	 */
	public boolean removeUnchanged(Device device) {
		return this.jdbc.update("DELETE FROM device WHERE id = ? AND username = ? AND seen_at = ?", device.id(),
				device.username(), UtcTime.of(device.seenAt())) > 0;
	}

	/**
	 * Removes devices that were not seen since then.
	 * @return the number of removed devices
	 */
	public int removeUnseenSince(Instant time) {
		return this.jdbc.update("DELETE FROM device WHERE seen_at < ?", UtcTime.of(time));
	}

	/** Returns the devices of a user, the most recently seen one first. */
	public List<Device> of(String username) {
		return this.jdbc.query(SELECT + "username = ? ORDER BY seen_at DESC, id", DeviceRepository::device, username);
	}

	/** Returns the devices of the users. Users without a device are missing. */
	public Map<String, List<Device>> of(Collection<String> usernames) {
		return Chunks.of(usernames)
			.stream()
			.flatMap((chunk) -> this.jdbc
				.query(SELECT + "username IN " + Chunks.placeholders(chunk) + " ORDER BY id", DeviceRepository::device,
						chunk.toArray())
				.stream())
			.collect(Collectors.groupingBy(Device::username));
	}

	/** Returns those of the users who have a device. */
	public Set<String> ownersAmong(Collection<String> usernames) {
		Set<String> owners = new HashSet<>();
		Chunks.of(usernames)
			.forEach((chunk) -> owners.addAll(this.jdbc.queryForList(
					"SELECT DISTINCT username FROM device WHERE username IN " + Chunks.placeholders(chunk),
					String.class, chunk.toArray())));
		return owners;
	}

	private static Device device(ResultSet row, int index) throws SQLException {
		return new Device(row.getString("id"), row.getString("username"), Device.Kind.valueOf(row.getString("kind")),
				row.getString("token"), Device.Platform.valueOf(row.getString("platform")),
				UtcTime.read(row, "seen_at"));
	}

}
