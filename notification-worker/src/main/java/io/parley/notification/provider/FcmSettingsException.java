package io.parley.notification.provider;

import org.jspecify.annotations.Nullable;

/** Pushing by FCM is not possible as it is set up; the message says what to set. */
class FcmSettingsException extends RuntimeException {

	FcmSettingsException(String message) {
		this(message, null);
	}

	FcmSettingsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
