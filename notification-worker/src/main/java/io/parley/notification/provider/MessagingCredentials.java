package io.parley.notification.provider;

import java.io.IOException;
import java.util.Collection;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;

/**
 * May send messages and nothing else: the SDK would ask for access to all of the project.
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

	/** Is asked for more by the SDK, and stays as it is. */
	@Override
	public GoogleCredentials createScoped(Collection<String> scopes) {
		return this;
	}

}
