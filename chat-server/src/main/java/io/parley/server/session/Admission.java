package io.parley.server.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import io.parley.server.broker.BrokerAvailability;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.Refusals;
import io.parley.server.limits.AddressLimitProperties;
import io.parley.server.limits.ClientAddresses;
import io.parley.server.limits.KeyedBuckets;
import io.parley.server.limits.LimitProperties;
import io.parley.server.websocket.UpgradeCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.stereotype.Component;

/**
 * Admits no more sessions than the server can hold, and no faster than it can serve them.
 * Rejects other upgrades with {@code Retry-After}, before they cost a socket. By default,
 * one address gets half of the limit for all addresses together, so that it cannot lock
 * out the others. Only complete upgrades from an allowed origin are checked, so that no
 * other request uses up the limits.
 */
@Component
class Admission implements UpgradeCheck {

	/** One fifth of all sessions may be sockets that have not sent CONNECT. */
	private static final int UNCONNECTED_SHARE = 5;

	private static final int UNCONNECTED_LEAST = 32;

	private static final String ALL = "all";

	private final SessionRegistry sessions;

	private final SessionShutdown shutdown;

	private final BrokerAvailability broker;

	private final ClientAddresses addresses;

	private final Refusals refusals;

	private final int maxSessions;

	private final int maxSessionsPerAddress;

	private final KeyedBuckets<String> connects;

	private final KeyedBuckets<String> connectsByAddress;

	Admission(SessionRegistry sessions, LimitProperties limits, AddressLimitProperties addressLimits,
			ClientAddresses addresses, SessionShutdown shutdown, BrokerAvailability broker, Refusals refusals) {
		this.sessions = sessions;
		this.shutdown = shutdown;
		this.broker = broker;
		this.addresses = addresses;
		this.refusals = refusals;
		this.maxSessions = limits.sessions();
		this.maxSessionsPerAddress = limitOrHalf(addressLimits.sessionsPerAddress(), limits.sessions());
		this.connects = new KeyedBuckets<>(limits.connectsPerSecond(), Duration.ofSeconds(1));
		this.connectsByAddress = new KeyedBuckets<>(
				limitOrHalf(addressLimits.connectsPerAddress(), limits.connectsPerSecond()), Duration.ofSeconds(1));
	}

	private static int limitOrHalf(@Nullable Integer limit, int all) {
		return (limit != null) ? limit : Math.ceilDiv(all, 2);
	}

	/** Also adds the limit key of the client's address to the attributes. */
	@Override
	public boolean admits(String remoteAddress, Map<String, Object> attributes, ServerHttpResponse response)
			throws IOException {
		attributes.put(SessionRegistry.ADDRESS, this.addresses.key(remoteAddress));
		if (!this.shutdown.isRunning()) {
			return reject(response, 5, "The server is starting or stopping.");
		}
		if (!this.broker.isAvailable()) {
			return reject(response, 5, "The message broker is away.");
		}
		SessionCounts counts = this.sessions.counts();
		if (LimitProperties.exceeds(counts.all() + 1, this.maxSessions)) {
			return reject(response, 10, "The server is full.");
		}
		if (LimitProperties.exceeds(counts.unconnected() + 1, unconnectedLimit(this.maxSessions))) {
			return reject(response, 1, "Too many sockets wait for CONNECT.");
		}
		if (!this.addresses.isExempt(remoteAddress)) {
			String address = this.addresses.key(remoteAddress);
			if (LimitProperties.exceeds(counts.of(address) + 1, this.maxSessionsPerAddress)) {
				return reject(response, 10, "Too many sessions of one address.");
			}
			if (LimitProperties.exceeds(counts.unconnectedOf(address) + 1,
					unconnectedLimit(this.maxSessionsPerAddress))) {
				return reject(response, 1, "Too many sockets of one address wait for CONNECT.");
			}
			if (this.connectsByAddress.take(address) > 0) {
				return reject(response, 1, "Too many connections of one address at once.");
			}
		}
		return this.connects.take(ALL) == 0 || reject(response, 1, "Too many connections at once.");
	}

	/** Returns the limit of sockets that have not sent CONNECT; 0 means no limit. */
	private static int unconnectedLimit(int limit) {
		return (limit > 0) ? Math.max(UNCONNECTED_LEAST, limit / UNCONNECTED_SHARE) : 0;
	}

	private boolean reject(ServerHttpResponse response, int retryAfterSeconds, String detail) throws IOException {
		this.refusals.count(ErrorCode.SERVER_BUSY);
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
