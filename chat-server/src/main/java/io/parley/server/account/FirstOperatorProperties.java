package io.parley.server.account;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The account of the first operator. Used while there is no active operator.
 *
 * @param username the name of the account, which is created if there is none
 * @param password its password; remove the setting after the first start
 */
@ConfigurationProperties("chat.security.first-operator")
record FirstOperatorProperties(@Nullable String username, @Nullable String password) {

	@Override
	public String toString() {
		return "FirstOperatorProperties[" + this.username + "]";
	}

}
