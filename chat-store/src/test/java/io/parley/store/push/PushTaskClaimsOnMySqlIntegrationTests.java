package io.parley.store.push;

import io.parley.store.OnMySql;
import io.parley.store.Threads;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@OnMySql
class PushTaskClaimsOnMySqlIntegrationTests extends PushTaskClaimsTests {

	private final TransactionTemplate transaction;

	PushTaskClaimsOnMySqlIntegrationTests(PushTaskRepository tasks, TransactionTemplate transaction,
			JdbcTemplate jdbc) {
		super(tasks, transaction, jdbc);
		this.transaction = transaction;
	}

	/** H2 locks all due tasks, not only those that it returns. */
	@Test
	void leaveTheOtherTasksToAnotherWorker() {
		mergeAll();
		this.transaction.executeWithoutResult((status) -> {
			int ours = takeHalf("c1").size();
			int others = Threads.elsewhere(() -> takeHalf("c2")).size();
			assertThat(ours + others).isEqualTo(TASKS);
		});
	}

}
