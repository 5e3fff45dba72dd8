package io.parley.notification.provider;

import java.io.IOException;
import java.util.Collection;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;

/**
 * Credentials that only permit sending messages: the SDK would request access to the
 * whole project.
 */
final class MessagingCredentials extends GoogleCredentials {

	private static final String SCOPE = "https://www.googleapis.com/auth/firebase.messaging";

	private final GoogleCredentials source;

	MessagingCredentials(GoogleCredentials source) {
		super(GoogleCredentials.newBuilder().setQuotaProjectId(source.getQuotaProjectId()));
		this.source = source.createScoped(SCOPE);
	}

	@Override
	public AccessToken refreshAccessToken() throws IOException {
		return this.source.refreshAccessToken();
	}

	/** Returns this object: the SDK requests more scopes, which are not needed. */
	@Override
	public GoogleCredentials createScoped(Collection<String> scopes) {
		return this;
	}

}
