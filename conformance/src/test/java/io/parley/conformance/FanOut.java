package io.parley.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * A test whose outcome can depend on the broker or on the code between broker and
 * session; it also runs in mode {@code bus}. These are tests of order, of SUBSCRIBE and
 * its races, of live delivery, retry and resume, of dropped and slow connections, of
 * signals, of the live delivery of membership and blocks, and of sessions. Tests that
 * involve no broker run on one backend: error codes, limits, replays, failed appends,
 * heart-beats and REST.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("fan-out")
@interface FanOut {

}
