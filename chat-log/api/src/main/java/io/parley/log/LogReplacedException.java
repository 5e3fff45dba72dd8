package io.parley.log;

/**
 * Thrown when this log no longer exists: another log has replaced it, in which the same
 * offsets refer to other records. Retrying does not help. All readers must start over
 * with a newly opened log; for a process this means a restart.
 */
public class LogReplacedException extends LogUnavailableException {

	public LogReplacedException(String message) {
		super(message);
	}

}
