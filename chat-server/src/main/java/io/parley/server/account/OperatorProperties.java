package io.parley.server.account;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The users with operator rights.
 *
 * @param operators user names; create the accounts first, because anyone may register a
 * free name
 */
@ConfigurationProperties("chat.security")
record OperatorProperties(@DefaultValue List<String> operators) {

	static final String AUTHORITY = "OPERATOR";

	boolean isOperator(@Nullable String username) {
		return username != null && this.operators.contains(username);
	}

}
