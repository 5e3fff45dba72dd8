package io.parley.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * A fan-out test whose outcome can depend on the dialect of a broker: subscriptions, live
 * delivery, its order and resume, also between two servers. It runs on each broker. The
 * other fan-out tests run on RabbitMQ only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("dialect")
@interface Dialect {

}
