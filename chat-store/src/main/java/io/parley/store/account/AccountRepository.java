package io.parley.store.account;

import java.util.Collection;
import java.util.List;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores the accounts. Saving a username that is taken throws
 * {@link org.springframework.dao.DataIntegrityViolationException} when the transaction
 * commits.
 */
public interface AccountRepository extends ListCrudRepository<Account, String> {

	/** Replaces the hash of a password, unless it has changed in the meantime. */
	@Modifying
	@Transactional
	@Query("update Account a set a.passwordHash = :after where a.username = :username and a.passwordHash = :before")
	void replaceHash(String username, String before, String after);

	/**
	 * Returns those of the usernames that have an account. All names are sent in one
	 * statement, so pass a limited number of them.
	 */
	@Query("SELECT a.username FROM Account a WHERE a.username IN :usernames")
	List<String> existingAmong(Collection<String> usernames);

}
