/**
 * The command {@code pubsub}: rising message rates.
 */
@NullMarked
package io.parley.loadtest.pubsub;

import org.jspecify.annotations.NullMarked;
