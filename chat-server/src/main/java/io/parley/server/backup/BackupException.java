package io.parley.server.backup;

/** A backup can't be made; the message says why, and what to do. */
class BackupException extends RuntimeException {

	BackupException(String message) {
		super(message);
	}

	BackupException(String message, Throwable cause) {
		super(message, cause);
	}

}
