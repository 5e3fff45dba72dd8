package io.parley.store.room;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores what was taken from users in rooms. Written only while the lock of the room is
 * held.
 */
interface RestrictionRepository extends Repository<Restriction, Member.Key> {

	Optional<Restriction> findById(Member.Key id);

	/** Returns those of the users who become readers when they join. */
	@Query("SELECT r.username FROM Restriction r WHERE r.roomId = :room AND r.username IN :usernames AND r.reader = TRUE")
	Set<String> readersAmong(String room, Collection<String> usernames);

	@Transactional
	Restriction save(Restriction restriction);

	@Transactional
	void delete(Restriction restriction);

	/** Changes the restriction of a user, and deletes it when nothing is left of it. */
	default void change(String room, String username, Consumer<Restriction> change) {
		Restriction restriction = findById(new Member.Key(room, username))
			.orElseGet(() -> new Restriction(room, username));
		change.accept(restriction);
		if (!restriction.isEmpty()) {
			save(restriction);
		}
		else if (!restriction.isNew()) {
			delete(restriction);
		}
	}

}
