package io.parley.store.account;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.parley.store.Chunks;

import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores the sign-ins. One that has ended never becomes live again, and its generation
 * never goes down. Methods join the transaction of the caller.
 */
public interface SignInRepository extends Repository<SignIn, String> {

	/**
	 * Starts a sign-in. The user has at most {@code limit} sign-ins afterwards: the ones
	 * that were not used for the longest time are ended.
	 * @param version of the account when its password was checked
	 * @param limit at least 1
	 * @param reason why the others are ended
	 * @return the ids of the sign-ins that were ended, or nothing if the account has
	 * another version by now: then nothing was stored
	 */
	@Transactional
	default Optional<List<String>> start(SignIn signIn, int version, int limit, String reason) {
		// Serializes with other sign-ins of the user, and with endAll.
		if (lockAccount(signIn.getUsername()).filter((current) -> current == version).isEmpty()) {
			return Optional.empty();
		}
		List<String> live = liveIds(signIn.getUsername(), signIn.getCreatedAt());
		List<String> surplus = live.subList(0, Math.max(0, live.size() - limit + 1));
		end(surplus, reason, signIn.getCreatedAt());
		save(signIn);
		return Optional.of(List.copyOf(surplus));
	}

	/**
	 * Ends all sign-ins of a user, also those that are just being started after an
	 * earlier check of the password.
	 * @param keep the id of a sign-in that is not ended, or ""
	 * @return the ids of those that were ended
	 */
	@Transactional
	default List<String> endAll(String username, String keep, String reason, Instant now) {
		nextVersion(username);
		List<String> live = new ArrayList<>(liveIds(username, now));
		live.remove(keep);
		end(live, reason, now);
		return live;
	}

	/**
	 * Replaces the generation, unless it is that high already or the sign-in has ended.
	 * @return the number of changed rows
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("""
			UPDATE SignIn s SET s.generation = :generation, s.usedAt = :now, s.rotatedAt = :now, s.expiresAt = :expiresAt
			WHERE s.id = :id AND s.generation < :generation AND s.endedAt IS NULL
			""")
	int rotate(String id, long generation, Instant now, Instant expiresAt);

	/**
	 * Ends a sign-in of a user.
	 * @return the number of changed rows: 0 if there is no such sign-in, or it has ended
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("""
			UPDATE SignIn s SET s.endedAt = :now, s.reason = :reason
			WHERE s.id = :id AND s.username = :username AND s.endedAt IS NULL
			""")
	int end(String username, String id, String reason, Instant now);

	/** Returns a sign-in whose account exists. */
	@Query("SELECT s FROM SignIn s JOIN Account a ON a.username = s.username WHERE s.id = :id")
	Optional<SignIn> find(String id);

	/** Returns the sign-ins of a user that have not ended, the last used one first. */
	@Query("""
			SELECT s FROM SignIn s
			WHERE s.username = :username AND s.endedAt IS NULL AND s.expiresAt > :now ORDER BY s.usedAt DESC, s.id
			""")
	List<SignIn> live(String username, Instant now);

	/**
	 * Marks some of the sign-ins as ended that have expired, at the time of their expiry.
	 * @return the number of changed rows, at most {@code limit}
	 */
	@Transactional
	default int endExpired(Instant now, String reason, int limit) {
		List<String> expired = expired(now, Limit.of(limit));
		Chunks.of(expired).forEach((chunk) -> expireIn(chunk, reason, now));
		return expired.size();
	}

	/**
	 * Deletes some of the sign-ins that were ended before a time.
	 * @return the number of deleted rows, at most {@code limit}
	 */
	@Transactional
	default int deleteEndedBefore(Instant before, int limit) {
		List<String> old = idsEndedBefore(before, Limit.of(limit));
		Chunks.of(old).forEach(this::deleteIn);
		return old.size();
	}

	private void end(Collection<String> ids, String reason, Instant now) {
		Chunks.of(ids).forEach((chunk) -> endIn(chunk, reason, now));
	}

	@Transactional
	SignIn save(SignIn signIn);

	/** Returns the version of the account, locked until the transaction ends. */
	@Transactional
	@NativeQuery("SELECT sign_in_version FROM account WHERE username = :username FOR UPDATE")
	Optional<Integer> lockAccount(String username);

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE Account a SET a.signInVersion = a.signInVersion + 1 WHERE a.username = :username")
	void nextVersion(String username);

	/**
	 * Returns the ids of the live sign-ins of a user, the last used one at the end.
	 */
	@Query("""
			SELECT s.id FROM SignIn s
			WHERE s.username = :username AND s.endedAt IS NULL AND s.expiresAt > :now ORDER BY s.usedAt, s.id
			""")
	List<String> liveIds(String username, Instant now);

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE SignIn s SET s.endedAt = :now, s.reason = :reason WHERE s.id IN :ids AND s.endedAt IS NULL")
	void endIn(Collection<String> ids, String reason, Instant now);

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("""
			UPDATE SignIn s SET s.endedAt = s.expiresAt, s.reason = :reason
			WHERE s.id IN :ids AND s.endedAt IS NULL AND s.expiresAt < :now
			""")
	void expireIn(Collection<String> ids, String reason, Instant now);

	@Query("SELECT s.id FROM SignIn s WHERE s.endedAt IS NULL AND s.expiresAt < :now")
	List<String> expired(Instant now, Limit limit);

	@Query("SELECT s.id FROM SignIn s WHERE s.endedAt < :before")
	List<String> idsEndedBefore(Instant before, Limit limit);

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM SignIn s WHERE s.id IN :ids")
	void deleteIn(Collection<String> ids);

}
