package io.parley.store.room;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.parley.store.Chunks;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Stores which users have blocked which other users. */
public interface BlockRepository extends Repository<UserBlock, UserBlock.Key> {

	/**
	 * Blocks a user. Does nothing if the user is blocked already.
	 * @param limit the maximum number of users that one user may block
	 * @return false if the user has already blocked that many others
	 */
	@Transactional
	default boolean add(String username, String blocked, int limit, Instant now) {
		// Serializes the requests of one user, so that the count is exact.
		lockAccount(username);
		if (existsByUsernameAndBlocked(username, blocked)) {
			return true;
		}
		if (countByUsername(username) >= limit) {
			return false;
		}
		save(new UserBlock(username, blocked, now));
		return true;
	}

	/** Locks the account of the user, if it exists, until the transaction ends. */
	@Transactional
	@NativeQuery("SELECT username FROM account WHERE username = :username FOR UPDATE")
	Optional<String> lockAccount(String username);

	boolean existsByUsernameAndBlocked(String username, String blocked);

	int countByUsername(String username);

	@Transactional
	UserBlock save(UserBlock block);

	/** Removes a block, if there is one. */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM UserBlock b WHERE b.username = :username AND b.blocked = :blocked")
	void remove(String username, String blocked);

	/** Returns the users whom the user has blocked, ordered by name. */
	@Query("""
			SELECT new io.parley.store.room.Block(b.blocked, b.since) FROM UserBlock b
			WHERE b.username = :username ORDER BY b.blocked
			""")
	List<Block> of(String username);

	/** Returns whether one of the two users has blocked the other. */
	@Query("""
			SELECT COUNT(*) > 0 FROM UserBlock b
			WHERE (b.username = :one AND b.blocked = :other) OR (b.username = :other AND b.blocked = :one)
			""")
	boolean between(String one, String other);

	/**
	 * Returns those of the users who have blocked the given one, or whom that one has
	 * blocked.
	 */
	default List<String> blockedWith(String username, Collection<String> others) {
		return Chunks.query(others, (chunk) -> blockedWithIn(username, chunk));
	}

	/** Does the same as {@link #blockedWith} for a limited number of users. */
	@Query("""
			SELECT CASE WHEN b.username = :username THEN b.blocked ELSE b.username END FROM UserBlock b
			WHERE (b.username = :username AND b.blocked IN :others) OR (b.blocked = :username AND b.username IN :others)
			""")
	List<String> blockedWithIn(String username, Collection<String> others);

	/** Returns those of the users who have blocked the given user. */
	default List<String> blockersAmong(Collection<String> usernames, String blocked) {
		return Chunks.query(usernames, (chunk) -> blockersIn(chunk, blocked));
	}

	/** Does the same as {@link #blockersAmong} for a limited number of users. */
	@Query("SELECT b.username FROM UserBlock b WHERE b.blocked = :blocked AND b.username IN :usernames")
	List<String> blockersIn(Collection<String> usernames, String blocked);

}
