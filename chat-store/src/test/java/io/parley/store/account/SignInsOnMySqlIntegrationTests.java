package io.parley.store.account;

import io.parley.store.OnMySql;

@OnMySql
class SignInsOnMySqlIntegrationTests extends SignInRepositoryTests {

	SignInsOnMySqlIntegrationTests(SignInRepository signIns, AccountRepository accounts, AccountChanges changes) {
		super(signIns, accounts, changes);
	}

}
