package io.parley.server.session;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How the server treats a WebSocket session.
 *
 * @param heartBeat what the server offers in both directions; the larger of the client's
 * and this is used
 * @param connectTimeout a socket that has not sent a valid CONNECT by then is closed
 * @param idleTimeout a socket on which nothing moved in either direction for so long is
 * closed
 * @param frameBytes a WebSocket message above this closes the socket with 1009
 * @param inboundBytes frames of one session that may wait to be handled before its socket
 * is read no further
 * @param outboxBytes events that may wait for one session's socket; a session that falls
 * further behind gets a {@code gap} event in their place
 * @param stallTimeout a session whose socket takes nothing for so long while something
 * waits for it is closed and resumes by {@code after}
 */
@Validated
@ConfigurationProperties("chat.session")
public record SessionProperties(@DefaultValue("10s") Duration heartBeat, @DefaultValue("10s") Duration connectTimeout,
		@DefaultValue("5m") Duration idleTimeout, @DefaultValue("256KB") DataSize frameBytes,
		@DefaultValue("256KB") DataSize inboundBytes, @DefaultValue("1MB") DataSize outboxBytes,
		@DefaultValue("30s") Duration stallTimeout) {
}
