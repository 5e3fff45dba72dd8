package io.parley.server.backup;

/** Thrown when a backup cannot be made. The message says why and what to do. */
class BackupException extends RuntimeException {

	BackupException(String message) {
		super(message);
	}

	BackupException(String message, Throwable cause) {
		super(message, cause);
	}

}
