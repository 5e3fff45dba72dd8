package io.parley.store.config;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Ends a transaction that has lost its connection with the exception of the statement
 * that failed. The rollback fails too, because the pool has closed the connection, and
 * its exception would hide why. Nothing is missed: the database rolls back what a lost
 * connection has begun.
 */
class StoreTransactionManager extends JpaTransactionManager {

	private static final Logger log = LoggerFactory.getLogger(StoreTransactionManager.class);

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
		try {
			super.doRollback(status);
		}
		catch (DataAccessException | TransactionException ex) {
			log.debug("Failed to roll back; the connection is lost", ex);
		}
	}

}
