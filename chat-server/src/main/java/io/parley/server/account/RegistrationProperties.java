package io.parley.server.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of who may register an account.
 *
 * @param registration nobody ({@code closed}), who has an invitation link
 * ({@code invite}), or everybody ({@code open})
 */
@ConfigurationProperties("chat.security")
record RegistrationProperties(@DefaultValue("closed") Mode registration) {

	enum Mode {

		/** Operators create the accounts. */
		CLOSED,

		/** Operators create invitation links. */
		INVITE,

		/** Everybody may register. */
		OPEN

	}

}
