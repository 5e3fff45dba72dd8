package io.parley.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * A test whose outcome the broker, or what stands between broker and session, can affect:
 * it runs on each backend. Those are tests of order, of SUBSCRIBE and its races, of live
 * delivery, retry and resume, of cut and slow connections, of signals, of membership and
 * blocks as they are delivered live, of sessions, and of several servers. What ends
 * before any broker has a part in it runs on one backend: refusals, limits, replays,
 * failed appends, heart-beats, REST.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("fan-out")
@interface FanOut {

}
