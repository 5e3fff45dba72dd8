package io.parley.server.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A server with low limits and short timeouts. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ProtocolTest(properties = { "chat.limits.sends-per-second=1", "chat.limits.sessions-per-user=3",
		"chat.limits.subscriptions-per-session=3", "chat.limits.sessions=8", "chat.limits.connects-per-second=10",
		"chat.security.allowed-origins=https://chat.example.org", "chat.session.heart-beat=500ms",
		"chat.session.connect-timeout=3s" })
public @interface StrictServer {

}
