package io.parley.server.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.parley.store.DockerCondition;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A server without limits on MySQL, where transactions wait for each other: a database
 * file has one connection. Olga is an operator. Skipped when no Docker engine is
 * available.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DockerCondition.class)
@ProtocolTest(properties = { TemporaryData.ON_MYSQL + "=true", "chat.limits.sends-per-second=0",
		"chat.limits.sign-in-failures=0", "chat.limits.rooms-per-minute=0",
		"chat.limits.repeated-invitations-per-minute=0", "chat.security.first-operator.username=olga",
		"chat.security.first-operator.password=" + ChatApi.PASSWORD })
public @interface ServerOnMySql {

}
