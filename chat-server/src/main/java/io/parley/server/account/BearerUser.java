package io.parley.server.account;

import java.util.Collection;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;

/** The user of a request, as identified by the access token. */
final class BearerUser extends AbstractAuthenticationToken {

	private final transient Tokens.Identity identity;

	BearerUser(Tokens.Identity identity, Collection<? extends GrantedAuthority> authorities) {
		super(authorities);
		this.identity = identity;
		setAuthenticated(true);
	}

	Tokens.Identity identity() {
		return this.identity;
	}

	/** Returns the id of the sign-in of the access token. */
	String signIn() {
		return this.identity.signIn();
	}

	@Override
	public String getName() {
		return this.identity.user();
	}

	@Override
	public Object getPrincipal() {
		return this.identity;
	}

	@Override
	public Object getCredentials() {
		return "";
	}

}
