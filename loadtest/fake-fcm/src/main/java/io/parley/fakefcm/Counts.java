package io.parley.fakefcm;

/**
 * Totals since the start.
 *
 * @param delivered requests that were answered with success, or would have been if the
 * connection had not been closed
 * @param distinctTokens distinct tokens and installation ids
 * @param duplicates repeated deliveries of the same token, room and position
 * @param connections connections that carried at least one request
 * @param mostStreams the largest number of concurrent requests on one connection
 * @param mostAtOnce the largest number of concurrent requests in total
 * @param complete whether all tokens and positions fitted into memory; if not, the
 * numbers of tokens and duplicates are too low
 */
public record Counts(long requests, long delivered, long distinctTokens, long duplicates, long connections,
		int mostStreams, int mostAtOnce, boolean complete) {
}
