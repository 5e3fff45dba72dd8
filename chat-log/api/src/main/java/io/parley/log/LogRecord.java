package io.parley.log;

/**
 * A record and its place.
 *
 * @param data not to be changed
 */
public record LogRecord(int partition, long offset, byte[] data) {
}
