/**
 * Runs the classic JMeter plans against a STOMP server, without an installation of
 * JMeter.
 */
@NullMarked
package io.parley.jmeter;

import org.jspecify.annotations.NullMarked;
