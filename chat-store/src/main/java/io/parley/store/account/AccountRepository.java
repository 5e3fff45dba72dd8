package io.parley.store.account;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores the accounts. Saving a username that is taken throws
 * {@link org.springframework.dao.DataIntegrityViolationException} when the transaction
 * commits.
 */
public interface AccountRepository extends ListCrudRepository<Account, String> {

	@Override
	@Transactional
	<S extends Account> S save(S entity);

	@Override
	@Transactional
	<S extends Account> List<S> saveAll(Iterable<S> entities);

	@Override
	@Transactional
	void deleteById(String id);

	/**
	 * Replaces the hash of a password, unless it has changed in the meantime.
	 * @return 1, or 0 if it has changed
	 */
	@Modifying(clearAutomatically = true)
	@Transactional
	@Query("update Account a set a.passwordHash = :after where a.username = :username and a.passwordHash = :before")
	int replaceHash(String username, String before, String after);

	/**
	 * Sets the hash of a password, unless the account is disabled.
	 * @return 1, or 0 if there is no such account or it is disabled
	 */
	@Modifying(clearAutomatically = true)
	@Transactional
	@Query("""
			update Account a set a.passwordHash = :hash
			where a.username = :username and a.state <> io.parley.store.account.AccountState.DISABLED
			""")
	int setHash(String username, String hash);

	/**
	 * Locks the accounts of all operators who are active until the transaction ends, so
	 * that only one transaction at a time can reduce their number.
	 * @return their names
	 */
	@Transactional
	@NativeQuery("SELECT username FROM account WHERE state = 'active' AND is_operator = TRUE ORDER BY username FOR UPDATE")
	List<String> lockActiveOperators();

	/** Locks an account, if it exists, until the transaction ends. */
	@Transactional
	@NativeQuery("SELECT username FROM account WHERE username = :username FOR UPDATE")
	Optional<String> lock(String username);

	/**
	 * Locks an account, if it exists and is not disabled, until the transaction ends. A
	 * transaction that disables the account waits for that.
	 */
	@Transactional
	@NativeQuery("SELECT username FROM account WHERE username = :username AND state <> 'disabled' FOR UPDATE")
	Optional<String> lockUnlessDisabled(String username);

	/** Returns whether there is an operator who is active. */
	default boolean hasActiveOperator() {
		return existsByStateAndOperator(AccountState.ACTIVE, true);
	}

	boolean existsByStateAndOperator(AccountState state, boolean operator);

	List<Account> findByStateAndOperator(AccountState state, boolean operator);

	/** Sets the state of an account and whether it is an operator's. */
	@Modifying(clearAutomatically = true)
	@Transactional
	@Query("""
			update Account a set a.state = :state, a.operator = :operator, a.changedAt = :now
			where a.username = :username
			""")
	int setStatus(String username, AccountState state, boolean operator, Instant now);

	/**
	 * Returns accounts in the order of their names.
	 * @param pattern a pattern of LIKE in lower case, with {@code !} as escape character
	 * @param states the states of the accounts
	 * @param after the accounts follow this name
	 */
	@Query("""
			select a from Account a where a.username > :after and a.state in :states
			and lower(a.username) like :pattern escape '!' order by a.username
			""")
	List<Account> page(String pattern, Collection<AccountState> states, String after, Limit limit);

	/**
	 * Returns those of the usernames that have an account. All names are sent in one
	 * statement, so pass a limited number of them.
	 */
	@Query("SELECT a.username FROM Account a WHERE a.username IN :usernames")
	List<String> existingAmong(Collection<String> usernames);

}
