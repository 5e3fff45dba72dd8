package io.parley.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * A test of fan-out whose outcome the dialect of a broker can affect: subscriptions, live
 * delivery, its order, resume, and several servers. It runs on each broker. The other
 * tests of fan-out run on one broker for each way of connecting to it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("dialect")
@interface Dialect {

}
