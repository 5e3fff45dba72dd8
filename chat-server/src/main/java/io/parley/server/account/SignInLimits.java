package io.parley.server.account;

import java.time.Duration;

import io.parley.server.error.ErrorCode;
import io.parley.server.limits.AddressLimitProperties;
import io.parley.server.limits.ClientAddresses;
import io.parley.server.limits.KeyedBuckets;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Limits failed sign-ins, registrations and token refreshes. Successful sign-ins are not
 * counted. Attackers can exhaust the limits of unknown devices, but not those of the
 * owner of an account: a device that has signed in before is counted separately, and so
 * is each address. Each server counts for itself.
 */
@Component
class SignInLimits {

	private static final Duration PERIOD = Duration.ofMinutes(15);

	/**
	 * Each refresh costs signatures; a well-behaved client refreshes every few minutes.
	 */
	private static final int REFRESHES_PER_MINUTE = 60;

	private static final int ADDRESS_FACTOR = 4;

	private static final int ACCOUNT_FACTOR = 20;

	private static final int DEVICE_FACTOR = 2;

	private final KeyedBuckets<String> byAddress;

	private final KeyedBuckets<String> byAccountAndAddress;

	private final KeyedBuckets<String> byAccount;

	private final KeyedBuckets<String> byDevice;

	private final KeyedBuckets<String> registrations;

	private final KeyedBuckets<String> refreshes = new KeyedBuckets<>(REFRESHES_PER_MINUTE, Duration.ofMinutes(1));

	private final ClientAddresses addresses;

	SignInLimits(AddressLimitProperties limits, ClientAddresses addresses) {
		int failures = limits.signInFailures();
		this.byAddress = new KeyedBuckets<>((long) ADDRESS_FACTOR * failures, PERIOD);
		this.byAccountAndAddress = new KeyedBuckets<>(failures, PERIOD);
		this.byAccount = new KeyedBuckets<>((long) ACCOUNT_FACTOR * failures, PERIOD);
		this.byDevice = new KeyedBuckets<>((long) DEVICE_FACTOR * failures, PERIOD);
		this.registrations = new KeyedBuckets<>(limits.registrationsPerMinute(), Duration.ofMinutes(1));
		this.addresses = addresses;
	}

	/**
	 * A sign-in attempt.
	 *
	 * @param address the client's address as a key, see {@link ClientAddresses#key}
	 * @param device the id of a device that has signed in to this account before, or null
	 */
	record Candidate(String username, String address, @Nullable String device) {
	}

	/**
	 * Refuses the attempt if too many have failed already. Counts nothing.
	 * @throws io.parley.server.error.ChatException {@code rate-limited}, with the time to
	 * wait
	 */
	void requireAllowed(Candidate candidate) {
		if (candidate.device() != null) {
			refuse(this.byDevice.peek(candidate.device()));
			return;
		}
		refuse(Math.max(this.byAddress.peek(candidate.address()),
				Math.max(this.byAccountAndAddress.peek(accountAndAddress(candidate)),
						this.byAccount.peek(candidate.username()))));
	}

	/** Counts a failed attempt. */
	void countFailure(Candidate candidate) {
		if (candidate.device() != null) {
			this.byDevice.take(candidate.device());
			return;
		}
		this.byAddress.take(candidate.address());
		this.byAccountAndAddress.take(accountAndAddress(candidate));
		this.byAccount.take(candidate.username());
	}

	private static String accountAndAddress(Candidate candidate) {
		return candidate.username() + " " + candidate.address();
	}

	private static void refuse(long waitNanos) {
		if (waitNanos > 0) {
			throw ErrorCode.RATE_LIMITED.because("Too many sign-ins have failed; wait before you try again.",
					Duration.ofNanos(waitNanos));
		}
	}

	/**
	 * Refuses a reset or invitation token if too many sign-ins and tokens from the
	 * address have failed already. Counts nothing.
	 * @throws io.parley.server.error.ChatException {@code rate-limited}, with the time to
	 * wait
	 */
	void requireTokenAllowed(String address) {
		long waitNanos = this.byAddress.peek(address);
		if (waitNanos > 0) {
			throw ErrorCode.RATE_LIMITED.because("Too many links have failed; wait before you try again.",
					Duration.ofNanos(waitNanos));
		}
	}

	/** Counts a reset or invitation token that was not valid. */
	void countFailedToken(String address) {
		this.byAddress.take(address);
	}

	/**
	 * Counts a registration from an address.
	 * @throws io.parley.server.error.ChatException {@code rate-limited}, with the time to
	 * wait
	 */
	void takeRegistration(String remoteAddress) {
		long waitNanos = this.addresses.isExempt(remoteAddress) ? 0
				: this.registrations.take(this.addresses.key(remoteAddress));
		if (waitNanos > 0) {
			throw ErrorCode.RATE_LIMITED.because(
					"Too many accounts were registered from this address; try again later.",
					Duration.ofNanos(waitNanos));
		}
	}

	/**
	 * Counts a token refresh of a user.
	 * @throws io.parley.server.error.ChatException {@code rate-limited}, with the time to
	 * wait
	 */
	void takeRefresh(String username) {
		long waitNanos = this.refreshes.take(username);
		if (waitNanos > 0) {
			throw ErrorCode.RATE_LIMITED.because(
					"More than " + REFRESHES_PER_MINUTE + " refreshes a minute; use the tokens that you have.",
					Duration.ofNanos(waitNanos));
		}
	}

}
