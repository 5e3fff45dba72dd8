/**
 * Comparison of sockets, RMI, JMS and STOMP, which repeats a study of 2004.
 */
@NullMarked
package io.parley.loadtest.study.transports;

import org.jspecify.annotations.NullMarked;
