package io.parley.server.account;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may look after the others.
 *
 * @param operators user names; each should have an account already
 */
@ConfigurationProperties("chat.security")
record OperatorProperties(@DefaultValue List<String> operators) {

	static final String AUTHORITY = "OPERATOR";

	boolean isOperator(@Nullable String username) {
		return username != null && this.operators.contains(username);
	}

}
