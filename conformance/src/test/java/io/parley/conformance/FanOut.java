package io.parley.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * A test whose outcome the broker, or the log behind delivery, can affect: it runs on
 * each backend. That are tests of order, SUBSCRIBE, live delivery, retry and resume, cut
 * and slow connections, failures of the log, signals, membership and blocks as they are
 * delivered live, sessions and heart-beats, and of several servers. What is refused
 * before any broker has a part in it, and what is REST only, runs on one backend.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("fan-out")
@interface FanOut {

}
