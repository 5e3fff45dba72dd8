package io.parley.notification.provider;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import org.jspecify.annotations.Nullable;

/** For whom messages are sent. */
record FcmAccount(GoogleCredentials credentials, String projectId) {

	private static final String WHAT_TO_SET = "set chat.push.fcm.credentials to the JSON file of a service account"
			+ " (Firebase console, Project settings, Service accounts) or of a workload identity";

	/**
	 * Finds it by the settings.
	 * @throws FcmSettingsException when it can't be found; the message says what to set
	 */
	static FcmAccount of(FcmProperties properties) {
		return of(properties, GoogleCredentials::getApplicationDefault, System::getenv);
	}

	static FcmAccount of(FcmProperties properties, DefaultCredentials defaults,
			UnaryOperator<@Nullable String> environment) {
		Path file = properties.credentials();
		GoogleCredentials credentials = (file != null) ? read(file) : applicationDefault(defaults);
		String projectId = projectId(properties.projectId(), credentials, environment);
		if (projectId == null) {
			throw new FcmSettingsException(
					"The credentials for FCM name no project: set chat.push.fcm.project-id to the id of the Firebase project.");
		}
		return new FcmAccount(credentials, projectId);
	}

	private static GoogleCredentials read(Path file) {
		try (InputStream in = Files.newInputStream(file)) {
			return parse(in, file);
		}
		catch (NoSuchFileException ex) {
			throw new FcmSettingsException("There is no file " + file + " with credentials for FCM: " + WHAT_TO_SET
					+ ", or chat.push.provider=log.", ex);
		}
		catch (IOException ex) {
			throw new FcmSettingsException("The file " + file + " with credentials for FCM can't be read ("
					+ ex.getClass().getSimpleName() + "): let the user of this process read it.", ex);
		}
	}

	/** The cause is left out: it could show parts of a secret. */
	private static GoogleCredentials parse(InputStream in, Path file) {
		try {
			return GoogleCredentials.fromStream(in);
		}
		catch (IOException | RuntimeException ex) {
			throw new FcmSettingsException("The file " + file + " holds no credentials for FCM: " + WHAT_TO_SET + ".");
		}
	}

	private static GoogleCredentials applicationDefault(DefaultCredentials defaults) {
		try {
			return defaults.get();
		}
		catch (IOException ex) {
			throw new FcmSettingsException("There are no credentials for FCM: " + WHAT_TO_SET
					+ ", or GOOGLE_APPLICATION_CREDENTIALS, or chat.push.provider=log.", ex);
		}
	}

	private static @Nullable String projectId(@Nullable String configured, GoogleCredentials credentials,
			UnaryOperator<@Nullable String> environment) {
		if (hasText(configured)) {
			return configured;
		}
		String own = (credentials instanceof ServiceAccountCredentials account) ? account.getProjectId() : null;
		if (hasText(own)) {
			return own;
		}
		String surrounding = environment.apply("GOOGLE_CLOUD_PROJECT");
		return hasText(surrounding) ? surrounding : null;
	}

	private static boolean hasText(@Nullable String value) {
		return value != null && !value.isBlank();
	}

	/** Looks around for credentials. */
	@FunctionalInterface
	interface DefaultCredentials {

		GoogleCredentials get() throws IOException;

	}

}
