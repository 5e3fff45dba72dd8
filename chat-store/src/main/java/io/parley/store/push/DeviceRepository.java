package io.parley.store.push;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.store.Chunks;
import io.parley.store.account.AccountState;
import jakarta.persistence.LockModeType;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores the devices of the users. A token belongs to the user who registered it last.
 */
public interface DeviceRepository extends Repository<RegisteredDevice, String> {

	/**
	 * Adds a device, moves it to this user, or updates the time at which it was last
	 * seen.
	 * @return whether the device did not belong to this user before
	 */
	default boolean register(String username, Device.Kind kind, String token, Device.Platform platform, Instant now) {
		return register(username, kind, token, platform, null, now);
	}

	/**
	 * Does the same as without {@code replaced}, and removes the device that had the
	 * replaced token if it belonged to this user. A user has at most 50 devices: those
	 * that were seen longest ago are removed.
	 * @param replaced the previous token of the device, or null
	 * @throws DisabledOwnerException if the account of the user is disabled
	 */
	default boolean register(String username, Device.Kind kind, String token, Device.Platform platform,
			@Nullable String replaced, Instant now) {
		try {
			return tryToRegister(username, kind, token, platform, replaced, now);
		}
		catch (DuplicateKeyException | ConcurrencyFailureException ex) {
			// The same token was registered at the same moment: now the row exists.
			return tryToRegister(username, kind, token, platform, replaced, now);
		}
	}

	/**
	 * Does the same as {@link #register} in one transaction, which fails if the same
	 * token is registered at the same moment.
	 */
	@Transactional
	default boolean tryToRegister(String username, Device.Kind kind, String token, Device.Platform platform,
			@Nullable String replaced, Instant now) {
		// A transaction that disables the account removes its devices after this one.
		if (lockAccount(username).map(AccountState::ofWireName).filter(AccountState.DISABLED::equals).isPresent()) {
			throw new DisabledOwnerException();
		}
		if (replaced != null && !replaced.equals(token)) {
			remove(username, replaced);
		}
		String id = Device.id(kind, token);
		RegisteredDevice known = findById(id).orElse(null);
		if (known == null) {
			save(new RegisteredDevice(id, username, kind, token, platform, now));
		}
		boolean fresh = known == null || known.registerAgain(username, platform, now);
		if (fresh) {
			removeOldest(username);
		}
		return fresh;
	}

	/**
	 * Locks the account of the user, if it exists, until the transaction ends.
	 * @return its state
	 */
	@Transactional
	@NativeQuery("SELECT state FROM account WHERE username = :username FOR UPDATE")
	Optional<String> lockAccount(String username);

	/** Locks the row of a device until the transaction ends. */
	@Lock(LockModeType.PESSIMISTIC_WRITE)
	Optional<RegisteredDevice> findById(String id);

	@Transactional
	RegisteredDevice save(RegisteredDevice device);

	private void removeOldest(String username) {
		List<String> surplus = idsOf(username).stream().skip(RegisteredDevice.MAX_PER_USER).toList();
		if (!surplus.isEmpty()) {
			remove(username, surplus);
		}
	}

	/** Returns the ids of the devices of a user, the most recently seen one first. */
	@Query("SELECT d.id FROM RegisteredDevice d WHERE d.username = :username ORDER BY d.seenAt DESC, d.id")
	List<String> idsOf(String username);

	/**
	 * Removes the user's device with that token.
	 * @return whether there was one
	 */
	default boolean remove(String username, String token) {
		return remove(username, List.of(Device.id(Device.Kind.TOKEN, token), Device.id(Device.Kind.FID, token))) > 0;
	}

	/**
	 * Removes devices of the user.
	 * @return the number of removed devices
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM RegisteredDevice d WHERE d.id IN :ids AND d.username = :username")
	int remove(String username, Collection<String> ids);

	/**
	 * Removes a device, unless it has registered again since it was looked up.
	 * @return whether it was removed
	 */
	default boolean removeUnchanged(Device device) {
		return removeUnchanged(device.id(), device.username(), device.seenAt()) > 0;
	}

	/**
	 * Removes a device that belongs to the user and was last seen at that time.
	 * @return the number of removed devices
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM RegisteredDevice d WHERE d.id = :id AND d.username = :username AND d.seenAt = :seenAt")
	int removeUnchanged(String id, String username, Instant seenAt);

	/**
	 * Removes devices that were not seen since then.
	 * @return the number of removed devices
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM RegisteredDevice d WHERE d.seenAt < :time")
	int removeUnseenSince(Instant time);

	/** Returns the devices of a user, the most recently seen one first. */
	default List<Device> of(String username) {
		return findByUsernameOrderBySeenAtDescId(username);
	}

	List<Device> findByUsernameOrderBySeenAtDescId(String username);

	/** Returns the devices of the users. Users without a device are missing. */
	default Map<String, List<Device>> of(Collection<String> usernames) {
		return Chunks.query(usernames, this::findByUsernameInOrderById)
			.stream()
			.collect(Collectors.groupingBy(Device::username));
	}

	List<Device> findByUsernameInOrderById(Collection<String> usernames);

	/** Returns those of the users who have a device. */
	default Set<String> ownersAmong(Collection<String> usernames) {
		return new HashSet<>(Chunks.query(usernames, this::ownersIn));
	}

	/** Does the same as {@link #ownersAmong} for a limited number of users. */
	@Query("SELECT DISTINCT d.username FROM RegisteredDevice d WHERE d.username IN :usernames")
	List<String> ownersIn(Collection<String> usernames);

}
