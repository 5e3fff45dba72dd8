package io.parley.server.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;

/**
 * The server that most tests share: without rate limits, with a long idle timeout and
 * short replays; messages may be scheduled for the next moment, and appends fail when a
 * test requests it. Olga is an operator.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(FaultyLog.class)
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.limits.reactions-per-second=0",
		"chat.limits.drafts-per-second=0", "chat.scheduled.min-delay=1ms", "chat.limits.sessions-per-user=0",
		"chat.limits.sign-in-failures=0", "chat.limits.subscribes-per-second=0", "chat.limits.rooms-per-minute=0",
		"chat.limits.reports-per-minute=0", "chat.limits.repeated-invitations-per-minute=0",
		"chat.security.first-operator.username=olga", "chat.security.first-operator.password=" + ChatApi.PASSWORD,
		"chat.push.interval=1s", "server.jetty.connection-idle-timeout=10m" })
public @interface UnlimitedServer {

}
