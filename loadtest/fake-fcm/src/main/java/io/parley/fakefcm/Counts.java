package io.parley.fakefcm;

/**
 * What came in since the start.
 *
 * @param delivered how many were answered with success, or would have been, had the
 * connection lasted
 * @param distinctTokens tokens and installation ids
 * @param duplicates deliveries of a token, room and position that were delivered before
 * @param connections how many connections carried a request
 * @param mostStreams the largest number of requests at once on one connection
 * @param mostAtOnce the largest number of requests at once
 * @param complete whether all tokens and positions did fit into memory; when not, the
 * tokens and duplicates are too few
 */
public record Counts(long requests, long delivered, long distinctTokens, long duplicates, long connections,
		int mostStreams, int mostAtOnce, boolean complete) {
}
