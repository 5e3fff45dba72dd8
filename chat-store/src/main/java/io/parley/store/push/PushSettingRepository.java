package io.parley.store.push;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.store.Chunks;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Stores the push settings of the users. */
public interface PushSettingRepository extends Repository<UserPushSetting, String> {

	/**
	 * Returns the settings of these users for all rooms. Users who have saved none are
	 * missing.
	 */
	default Map<String, PushSetting> of(Collection<String> usernames) {
		return Chunks.query(usernames, this::findByUsernameIn)
			.stream()
			.collect(Collectors.toMap(UserPushSetting::getUsername, UserPushSetting::getSetting));
	}

	List<UserPushSetting> findByUsernameIn(Collection<String> usernames);

	/**
	 * Returns the settings of these users for a room. Users who have saved none are
	 * missing.
	 */
	default Map<String, RoomPushSetting> of(String room, Collection<String> usernames) {
		return Chunks.query(usernames, (chunk) -> findInRoom(room, chunk))
			.stream()
			.collect(Collectors.toMap(MemberPushSetting::getUsername, MemberPushSetting::getSetting));
	}

	@Query("SELECT s FROM MemberPushSetting s WHERE s.room = :room AND s.username IN :usernames")
	List<MemberPushSetting> findInRoom(String room, Collection<String> usernames);

	/** Returns the users who have chosen that level for a room. */
	@Query("SELECT s.username FROM MemberPushSetting s WHERE s.room = :room AND s.setting.level = :level")
	List<String> usersWith(String room, PushLevel level);

	/** Returns the rooms for which a user wants no notifications now. */
	@Query("""
			SELECT s.room FROM MemberPushSetting s
			WHERE s.username = :username AND (s.setting.level = NONE OR s.setting.mutedUntil > :now)
			""")
	Set<String> mutedRooms(String username, Instant now);

	/** Replaces the user's settings for all rooms. */
	default void save(String username, PushSetting setting) {
		if (update(username, setting) == 0) {
			try {
				insert(username, setting);
			}
			catch (DuplicateKeyException | ConcurrencyFailureException ex) {
				// Another device of the user has saved settings at the same moment.
				update(username, setting);
			}
		}
	}

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE UserPushSetting s SET s.setting = :setting WHERE s.username = :username")
	int update(String username, PushSetting setting);

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("INSERT INTO UserPushSetting (username, setting) VALUES (:username, :setting)")
	void insert(String username, PushSetting setting);

	/** Replaces the user's settings for a room. */
	default void save(String room, String username, RoomPushSetting setting) {
		if (update(room, username, setting) == 0) {
			try {
				insert(room, username, setting);
			}
			catch (DuplicateKeyException | ConcurrencyFailureException ex) {
				// Another device of the user has saved settings at the same moment.
				update(room, username, setting);
			}
		}
	}

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE MemberPushSetting s SET s.setting = :setting WHERE s.room = :room AND s.username = :username")
	int update(String room, String username, RoomPushSetting setting);

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("INSERT INTO MemberPushSetting (room, username, setting) VALUES (:room, :username, :setting)")
	void insert(String room, String username, RoomPushSetting setting);

}
