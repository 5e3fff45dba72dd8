/** Traces of messages, from the SEND to the push, for OpenTelemetry. */
@NullMarked
package io.parley.trace;

import org.jspecify.annotations.NullMarked;
