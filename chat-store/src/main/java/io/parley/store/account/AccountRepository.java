package io.parley.store.account;

import org.springframework.data.repository.ListCrudRepository;

/**
 * The accounts. Saving a username that is taken throws
 * {@link org.springframework.dao.DataIntegrityViolationException} when the transaction
 * commits.
 */
public interface AccountRepository extends ListCrudRepository<Account, String> {

}
