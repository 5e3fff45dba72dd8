package io.parley.server.session;

import java.time.Duration;

import jakarta.validation.constraints.PositiveOrZero;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of WebSocket sessions.
 *
 * @param heartBeat the interval that the server offers in both directions; the larger of
 * the client's and this one is used
 * @param connectTimeout a socket that has not sent a valid CONNECT within this time is
 * closed
 * @param idleTimeout a socket without traffic in either direction for this time is closed
 * @param frameBytes a larger WebSocket message closes the socket with 1009
 * @param inboundBytes frames of one session that may be queued before its socket is not
 * read any further
 * @param outboxBytes events that may be queued for the socket of one session; a session
 * that falls further behind gets a {@code gap} event in their place
 * @param stallTimeout a session whose socket takes nothing for this time, while frames
 * are queued, is closed and resumes with {@code after}
 * @param drainRate the number of sessions that a stopping server closes a second, or more
 * if it could not close all within 30 seconds; 0 closes all at once
 */
@Validated
@ConfigurationProperties("chat.session")
public record SessionProperties(@DefaultValue("10s") Duration heartBeat, @DefaultValue("10s") Duration connectTimeout,
		@DefaultValue("5m") Duration idleTimeout, @DefaultValue("256KB") DataSize frameBytes,
		@DefaultValue("256KB") DataSize inboundBytes, @DefaultValue("1MB") DataSize outboxBytes,
		@DefaultValue("30s") Duration stallTimeout, @DefaultValue("400") @PositiveOrZero int drainRate) {
}
