package io.parley.store.account;

import java.util.Collection;
import java.util.List;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The accounts. Saving a username that is taken throws
 * {@link org.springframework.dao.DataIntegrityViolationException} when the transaction
 * commits.
 */
public interface AccountRepository extends ListCrudRepository<Account, String> {

	/** Replaces the hash of a password, unless it has changed meanwhile. */
	@Modifying
	@Transactional
	@Query("update Account a set a.passwordHash = :after where a.username = :username and a.passwordHash = :before")
	void replaceHash(String username, String before, String after);

	/** Those of the usernames that have an account; not too many at once. */
	@Query("SELECT a.username FROM Account a WHERE a.username IN :usernames")
	List<String> existingAmong(Collection<String> usernames);

}
