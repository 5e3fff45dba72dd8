package io.parley.loadtest.study.pipeline;

import java.net.URI;
import java.time.Duration;

/**
 * Plan for pairs of a sender and a receiver, each pair in a separate room.
 *
 * @param metrics of the server that stores
 * @param messages of each sender; 0 for as many as possible within the duration
 * @param duration the longest time to send
 * @param window the largest number of messages of one sender that wait for their RECEIPT
 * @param settle the longest wait at the end for a step without progress
 */
record PairPlan(URI url, URI metrics, int pairs, long messages, Duration duration, int window, Duration settle) {

}
