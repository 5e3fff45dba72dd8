package io.parley.server.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether users sign in with passwords of this server.
 *
 * @param localSignIn false: only with tokens of the external issuers
 */
@ConfigurationProperties("chat.security")
record LocalSignInProperties(@DefaultValue("true") boolean localSignIn) {
}
