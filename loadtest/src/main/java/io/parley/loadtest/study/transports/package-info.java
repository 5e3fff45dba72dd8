/** One server by socket, RMI, JMS and STOMP: the study of 2004, repeated. */
@NullMarked
package io.parley.loadtest.study.transports;

import org.jspecify.annotations.NullMarked;
