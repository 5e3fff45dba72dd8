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

/** The account and the project that send the messages. */
record FcmAccount(GoogleCredentials credentials, String projectId) {

	private static final String HINT = "set chat.push.fcm.credentials to the JSON file of a service account"
			+ " (Firebase console, Project settings, Service accounts) or of a workload identity";

	/**
	 * Determines the account from the settings.
	 * @throws FcmSettingsException if there is none; the message says what to set
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
			throw new FcmSettingsException(
					"There is no file " + file + " with credentials for FCM: " + HINT + ", or chat.push.provider=log.",
					ex);
		}
		catch (IOException ex) {
			throw new FcmSettingsException("The file " + file + " with credentials for FCM can't be read ("
					+ ex.getClass().getSimpleName() + "): allow the user of this process to read it.", ex);
		}
	}

	/** Drops the cause, which could show parts of a secret. */
	private static GoogleCredentials parse(InputStream in, Path file) {
		try {
			return GoogleCredentials.fromStream(in);
		}
		catch (IOException | RuntimeException ex) {
			throw new FcmSettingsException("The file " + file + " holds no credentials for FCM: " + HINT + ".");
		}
	}

	private static GoogleCredentials applicationDefault(DefaultCredentials defaults) {
		try {
			return defaults.get();
		}
		catch (IOException ex) {
			throw new FcmSettingsException("There are no credentials for FCM: " + HINT
					+ ", or GOOGLE_APPLICATION_CREDENTIALS, or chat.push.provider=log.", ex);
		}
	}

	private static @Nullable String projectId(@Nullable String configured, GoogleCredentials credentials,
			UnaryOperator<@Nullable String> environment) {
		if (hasText(configured)) {
			return configured;
		}
		String fromCredentials = (credentials instanceof ServiceAccountCredentials account) ? account.getProjectId()
				: null;
		if (hasText(fromCredentials)) {
			return fromCredentials;
		}
		String fromEnvironment = environment.apply("GOOGLE_CLOUD_PROJECT");
		return hasText(fromEnvironment) ? fromEnvironment : null;
	}

	private static boolean hasText(@Nullable String value) {
		return value != null && !value.isBlank();
	}

	/** Looks up the application default credentials. */
	@FunctionalInterface
	interface DefaultCredentials {

		GoogleCredentials get() throws IOException;

	}

}
