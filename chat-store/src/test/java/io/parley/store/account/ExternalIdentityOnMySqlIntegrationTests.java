package io.parley.store.account;

import io.parley.store.OnMySql;

@OnMySql
class ExternalIdentityOnMySqlIntegrationTests extends ExternalIdentityTests {

	ExternalIdentityOnMySqlIntegrationTests(ExternalIdentities identities, ExternalSignOutRepository signOuts) {
		super(identities, signOuts);
	}

}
