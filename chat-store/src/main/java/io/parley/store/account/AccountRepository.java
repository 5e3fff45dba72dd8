package io.parley.store.account;

import java.util.Collection;
import java.util.List;

import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;

/**
 * The accounts. Saving a username that is taken throws
 * {@link org.springframework.dao.DataIntegrityViolationException} when the transaction
 * commits.
 */
public interface AccountRepository extends ListCrudRepository<Account, String> {

	/** Those of the usernames that have an account; not too many at once. */
	@Query("SELECT a.username FROM Account a WHERE a.username IN :usernames")
	List<String> existingAmong(Collection<String> usernames);

}
