package io.parley.server.room;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ChatException;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomStanding;
import io.parley.store.room.Standing;
import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/**
 * Caches who is a member of which room, with the role and the mute; {@link RoomAccess}
 * checks it for each SEND and SUBSCRIBE. Joins and leaves in the log, and the signals of
 * other joins and changes, remove entries on every node. Entries also expire, as a last
 * resort. While the database is unavailable, the last known state stays valid. Safe for
 * use by many threads.
 */
@Component
public class MemberCache {

	/** No room has a longer id. Longer ids from clients are not cached. */
	private static final int MAX_ID_LENGTH = 64;

	private static final int MAX_ENTRIES = 200_000;

	/** More rooms than a session may follow. */
	private static final int MAX_LOADED = 200;

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

	private final MemberRepository stored;

	private final Database database;

	private final LastKnownCache<Key, Optional<Standing>> members;

	/**
	 * The users whose rooms are being loaded, with the rooms that were forgotten since.
	 */
	private final ConcurrentMap<String, Load> loading = new ConcurrentHashMap<>();

	/** The users whose rooms were loaded recently. */
	private final Cache<String, Boolean> loaded = Caffeine.newBuilder()
		.maximumSize(MAX_ENTRIES)
		.expireAfterWrite(TIME_TO_LIVE)
		.build();

	MemberCache(Database database, MemberRepository members) {
		this.stored = members;
		this.database = database;
		this.members = new LastKnownCache<>(database, MAX_ENTRIES, (member) -> TIME_TO_LIVE,
				(key) -> members.standingOf(key.room(), key.user()));
	}

	private record Key(String room, String user) {
	}

	/** A query for all rooms of a user. */
	private static final class Load {

		/** Used in {@link ConcurrentMap#computeIfPresent} only. */
		private final Set<String> forgotten = new HashSet<>();

	}

	/**
	 * Returns what the user is in the room, or null if the user is not a member.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable and the membership is not known
	 */
	@Nullable Standing standing(String room, String user) {
		return (room.length() <= MAX_ID_LENGTH) ? this.members.get(new Key(room, user)).orElse(null) : null;
	}

	/**
	 * Returns those of the users who are members of the room. Queries those that are not
	 * cached, all at once.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable and a membership is not known
	 */
	Set<String> among(String room, Collection<String> users) {
		List<String> unknown = users.stream().filter((user) -> !this.members.isFresh(new Key(room, user))).toList();
		if (unknown.size() > 1) {
			try {
				Set<String> members = new HashSet<>(this.database.query(() -> this.stored.membersAmong(room, unknown)));
				users.stream()
					.filter((user) -> !unknown.contains(user) && standing(room, user) != null)
					.forEach(members::add);
				return members;
			}
			catch (ChatException ex) {
				// The last known states may be enough.
			}
		}
		return users.stream().filter((user) -> standing(room, user) != null).collect(Collectors.toSet());
	}

	/**
	 * Loads all rooms of a user with one query, unless this one is cached or that was
	 * done recently. Does nothing while the database is unavailable.
	 * @return the rooms that were loaded
	 */
	List<String> load(String room, String user) {
		Load load = new Load();
		if (this.members.isFresh(new Key(room, user)) || this.loaded.getIfPresent(user) != null
				|| this.loading.putIfAbsent(user, load) != null) {
			return List.of();
		}
		try {
			List<RoomStanding> standings = this.database
				.query(() -> this.stored.standingsOf(user, Limit.of(MAX_LOADED)));
			this.loading.computeIfPresent(user, (same, present) -> {
				standings.stream()
					.filter((standing) -> !load.forgotten.contains(standing.room()))
					.forEach((standing) -> this.members.put(new Key(standing.room(), user),
							Optional.of(standing.standing())));
				return null;
			});
			this.loaded.put(user, true);
			return standings.stream().map(RoomStanding::room).toList();
		}
		catch (ChatException ex) {
			return List.of();
		}
		finally {
			this.loading.remove(user, load);
		}
	}

	/** Removes the entry, so that the next call queries the database. Does not block. */
	public void forget(String room, String user) {
		// First, because a load in flight may have read the previous state.
		this.loading.computeIfPresent(user, (same, load) -> {
			load.forgotten.add(room);
			return load;
		});
		this.members.forget(new Key(room, user));
	}

}
