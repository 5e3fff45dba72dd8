package io.parley.store.config;

import java.sql.SQLException;

import javax.sql.DataSource;

import io.parley.store.StoreTest;
import io.parley.store.account.AccountRepository;
import org.junit.jupiter.api.Test;

import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The connection is lost in the middle of a transaction. */
@StoreTest
class LostConnectionTests {

	private final TransactionTemplate transaction;

	private final DataSource dataSource;

	private final AccountRepository accounts;

	LostConnectionTests(TransactionTemplate transaction, DataSource dataSource, AccountRepository accounts) {
		this.transaction = transaction;
		this.dataSource = dataSource;
		this.accounts = accounts;
	}

	@Test
	void theTransactionFailsWithTheExceptionOfItsStatement() {
		assertThatExceptionOfType(TransientDataAccessResourceException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.accounts.lock("anna");
				loseConnection();
				throw new TransientDataAccessResourceException("the database does not answer");
			}))
			.withMessage("the database does not answer");
		assertThat(this.accounts.existsById("nobody")).isFalse();
	}

	/** Closes it as the pool does when a statement fails for that reason. */
	private void loseConnection() {
		try {
			DataSourceUtils.getConnection(this.dataSource).close();
		}
		catch (SQLException ex) {
			throw new AssertionError(ex);
		}
	}

}
