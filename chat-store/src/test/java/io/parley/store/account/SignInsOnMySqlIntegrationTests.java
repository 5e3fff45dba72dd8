package io.parley.store.account;

import io.parley.store.OnMySql;

@OnMySql
class SignInsOnMySqlIntegrationTests extends SignInRepositoryTests {

	SignInsOnMySqlIntegrationTests(SignInRepository signIns, AccountRepository accounts) {
		super(signIns, accounts);
	}

}
