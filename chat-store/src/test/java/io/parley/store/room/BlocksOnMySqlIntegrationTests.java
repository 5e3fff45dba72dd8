package io.parley.store.room;

import io.parley.store.OnMySql;
import io.parley.store.account.AccountRepository;

@OnMySql
class BlocksOnMySqlIntegrationTests extends BlockRepositoryTests {

	BlocksOnMySqlIntegrationTests(BlockRepository blocks, AccountRepository accounts) {
		super(blocks, accounts);
	}

}
