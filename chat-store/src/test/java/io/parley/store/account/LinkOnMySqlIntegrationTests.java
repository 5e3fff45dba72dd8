package io.parley.store.account;

import io.parley.store.OnMySql;

@OnMySql
class LinkOnMySqlIntegrationTests extends LinkTests {

	LinkOnMySqlIntegrationTests(AccountInviteRepository invites, PasswordResets resets) {
		super(invites, resets);
	}

}
