package io.parley.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * A test whose outcome can depend on the relay: subscriptions, live delivery, its order,
 * retry and resume, and several servers. It runs in mode {@code relay} with RabbitMQ.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("relay")
@interface Relay {

}
