package io.parley.loadtest;

import java.net.URI;
import java.time.Duration;

/**
 * Pairs of a sender and a receiver, each in a room of their own.
 *
 * @param metrics of the server that stores
 * @param messages of each sender; 0 for as many as it can in the duration
 * @param duration how long to send at the longest
 * @param window messages of one sender that may wait for their RECEIPT
 * @param settle how long to wait, in the end, for a step on which nothing moves
 */
public record PairPlan(URI url, URI metrics, int pairs, long messages, Duration duration, int window, Duration settle) {

}
