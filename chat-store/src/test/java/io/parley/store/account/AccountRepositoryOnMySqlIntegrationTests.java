package io.parley.store.account;

import io.parley.store.OnMySql;

@OnMySql
class AccountRepositoryOnMySqlIntegrationTests extends AccountRepositoryTests {

	AccountRepositoryOnMySqlIntegrationTests(AccountRepository accounts, AccountChanges changes) {
		super(accounts, changes);
	}

}
