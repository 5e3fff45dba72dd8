package io.parley.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.parley.server.testing.ProtocolTest;

/**
 * A server that buffers little for a socket that does not read, and does not close it. It
 * limits the rate of subscriptions and the memory for replays.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.limits.sessions-per-user=0",
		"chat.limits.subscribes-per-second=4", "chat.limits.replay-bytes=600KB", "chat.session.outbox-bytes=256KB",
		"chat.session.stall-timeout=1h", "chat.history.tail=1MB" })
@interface PatientServer {

}
