package io.parley.server.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.parley.server.broker.BrokerAvailability;
import io.parley.server.limits.AddressLimitProperties;
import io.parley.server.limits.ClientAddresses;
import io.parley.server.limits.KeyedBuckets;
import io.parley.server.error.ErrorCode;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.stereotype.Component;

/**
 * Lets in as many sessions as the server holds and no faster than it can serve them. The
 * rest is told when to come again, before it costs a socket. One address gets half of
 * what all get together, so that it cannot shut out the others. Asked about upgrades that
 * are complete and come from an allowed origin only: nothing else takes from what there
 * is.
 */
@Component
public class Admission {

	/** One fifth of the places is for sockets that have not sent CONNECT. */
	private static final int UNCONNECTED_SHARE = 5;

	private static final int UNCONNECTED_LEAST = 32;

	private static final String ALL = "all";

	private final SessionRegistry sessions;

	private final SessionShutdown shutdown;

	private final BrokerAvailability broker;

	private final ClientAddresses addresses;

	private final int maxSessions;

	private final int maxSessionsOfAddress;

	private final KeyedBuckets<String> connects;

	private final KeyedBuckets<String> connectsByAddress;

	Admission(SessionRegistry sessions, LimitProperties limits, AddressLimitProperties addressLimits,
			ClientAddresses addresses, SessionShutdown shutdown, BrokerAvailability broker) {
		this.sessions = sessions;
		this.shutdown = shutdown;
		this.broker = broker;
		this.addresses = addresses;
		this.maxSessions = limits.sessions();
		this.maxSessionsOfAddress = limitOrHalf(addressLimits.sessionsPerAddress(), limits.sessions());
		this.connects = new KeyedBuckets<>(limits.connectsPerSecond(), Duration.ofSeconds(1));
		this.connectsByAddress = new KeyedBuckets<>(
				limitOrHalf(addressLimits.connectsPerAddress(), limits.connectsPerSecond()), Duration.ofSeconds(1));
	}

	private static int limitOrHalf(@Nullable Integer limit, int all) {
		return (limit != null) ? limit : Math.ceilDiv(all, 2);
	}

	/**
	 * Decides about an upgrade. Writes the response when it is refused.
	 * @param remoteAddress of the client
	 * @return whether the upgrade may go on
	 */
	public boolean admits(String remoteAddress, ServerHttpResponse response) throws IOException {
		if (!this.shutdown.isRunning()) {
			return refuse(response, 5, "The server is starting or stopping.");
		}
		if (!this.broker.isAvailable()) {
			return refuse(response, 5, "The message broker is away.");
		}
		SessionCounts counts = this.sessions.counts();
		if (LimitProperties.exceeds(counts.all() + 1, this.maxSessions)) {
			return refuse(response, 10, "The server is full.");
		}
		if (LimitProperties.exceeds(counts.unconnected() + 1, share(this.maxSessions))) {
			return refuse(response, 1, "Too many sockets wait for CONNECT.");
		}
		if (!this.addresses.isExempt(remoteAddress)) {
			String address = this.addresses.key(remoteAddress);
			if (LimitProperties.exceeds(counts.of(address) + 1, this.maxSessionsOfAddress)) {
				return refuse(response, 10, "Too many sessions of one address.");
			}
			if (LimitProperties.exceeds(counts.unconnectedOf(address) + 1, share(this.maxSessionsOfAddress))) {
				return refuse(response, 1, "Too many sockets of one address wait for CONNECT.");
			}
			if (this.connectsByAddress.take(address) > 0) {
				return refuse(response, 1, "Too many connections of one address at once.");
			}
		}
		return this.connects.take(ALL) == 0 || refuse(response, 1, "Too many connections at once.");
	}

	/** 0, no limit, stays 0. */
	private static int share(int places) {
		return (places > 0) ? Math.max(UNCONNECTED_LEAST, places / UNCONNECTED_SHARE) : 0;
	}

	private static boolean refuse(ServerHttpResponse response, int retryAfterSeconds, String detail)
			throws IOException {
		response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
		response.getHeaders().set(HttpHeaders.RETRY_AFTER, String.valueOf(retryAfterSeconds));
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		response.getBody()
			.write("""
					{"title":"Service Unavailable","status":503,"code":"%s","detail":"%s Try again in %d s."}"""
				.formatted(ErrorCode.SERVER_BUSY.code(), detail, retryAfterSeconds)
				.getBytes(StandardCharsets.UTF_8));
		return false;
	}

}
