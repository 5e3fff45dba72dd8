package io.parley.notification.provider;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when FCM can't be used with the current settings; the message says what to set.
 */
class FcmSettingsException extends RuntimeException {

	FcmSettingsException(String message) {
		this(message, null);
	}

	FcmSettingsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
