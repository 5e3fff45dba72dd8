package io.parley.store.room;

import io.parley.store.OnMySql;
import io.parley.store.account.AccountRepository;

@OnMySql
class BlocksOnMySqlIntegrationTests extends BlocksTests {

	BlocksOnMySqlIntegrationTests(Blocks blocks, AccountRepository accounts) {
		super(blocks, accounts);
	}

}
