package io.parley.log;

/**
 * This log is no more: another one has taken its place, in which the same offsets mean
 * other records. Trying again does not help. Whoever has read from it must begin anew,
 * with a log that is opened anew; for a process that means a restart.
 */
public class LogReplacedException extends LogUnavailableException {

	public LogReplacedException(String message) {
		super(message);
	}

}
