package io.parley.store;

import java.time.Duration;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Updates rows, and inserts those that are absent, in a transaction of its own. Repeats
 * the work when another node has inserted one of the rows in the meantime, or after a
 * deadlock with it: on the next attempt the rows exist and can be updated. Safe for use
 * by many threads.
 */
public final class Upserts {

	private static final RetryTemplate RETRY = new RetryTemplate(RetryPolicy.builder()
		.includes(DuplicateKeyException.class, PessimisticLockingFailureException.class)
		.maxRetries(5)
		.delay(Duration.ofMillis(5))
		.jitter(Duration.ofMillis(5))
		.build());

	private final TransactionTemplate transaction;

	public Upserts(PlatformTransactionManager transactionManager) {
		this.transaction = new TransactionTemplate(transactionManager);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	/** Does the work, which must lock the rows in the same order on every node. */
	public void run(Runnable work) {
		RETRY.invoke(() -> this.transaction.executeWithoutResult((status) -> work.run()));
	}

}
