package io.parley.server.issuer;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one issuer, fetched from its key server. A token whose key is known never
 * waits for the key server. Whatever tokens arrive, the key server is asked at most once
 * in {@link #INTERVAL}. Safe for use by many threads.
 *
 * <p>
 * Nimbus has caches for this too, but its rate limit lets two fetches pass at a time, and
 * all tokens wait while an expired cache is fetched.
 */
final class RemoteKeys implements JWKSource<SecurityContext> {

	/** Between two fetches. */
	static final Duration INTERVAL = Duration.ofSeconds(30);

	/** Known keys are fetched again at this age. */
	static final Duration REFRESH = Duration.ofMinutes(5);

	/** Known keys are used for this long while the key server is unavailable. */
	static final Duration OUTAGE = Duration.ofHours(12);

	/** How long a fetch may take, with its body. */
	static final Duration TIMEOUT = Duration.ofSeconds(2);

	static final int MAX_BYTES = 51_200;

	private static final Logger log = LoggerFactory.getLogger(RemoteKeys.class);

	private final String issuer;

	private final URI uri;

	private final HttpClient client;

	private final Clock clock;

	private volatile @Nullable Known known;

	private @Nullable Instant lastFetch;

	private CompletableFuture<Boolean> fetch = CompletableFuture.completedFuture(false);

	private boolean failing;

	RemoteKeys(String issuer, URI uri, HttpClient client, Clock clock) {
		this.issuer = issuer;
		this.uri = uri;
		this.client = client;
		this.clock = clock;
	}

	private record Known(JWKSet keys, Instant fetchedAt) {
	}

	@Override
	public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws KeysUnavailableException {
		List<JWK> found = select(selector);
		if (!found.isEmpty()) {
			return found;
		}
		// The key may be new, or the keys are not known yet.
		CompletableFuture<Boolean> attempt = startFetch();
		boolean fetched = attempt != null && join(attempt);
		found = select(selector);
		if (found.isEmpty() && !fetched) {
			throw new KeysUnavailableException("the keys of " + this.issuer + " are not available", untilNextFetch());
		}
		return found;
	}

	private List<JWK> select(JWKSelector selector) {
		Known current = this.known;
		if (current == null || current.fetchedAt().plus(OUTAGE).isBefore(this.clock.instant())) {
			return List.of();
		}
		return selector.select(current.keys());
	}

	private static boolean join(CompletableFuture<Boolean> fetch) {
		try {
			return fetch.get(TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException | TimeoutException ex) {
			return false;
		}
	}

	/** Fetches the keys in the background if they are old or unknown. */
	void refresh() {
		Known current = this.known;
		if (current == null || !current.fetchedAt().plus(REFRESH).isAfter(this.clock.instant())) {
			startFetch();
		}
	}

	private synchronized Duration untilNextFetch() {
		Instant last = this.lastFetch;
		Duration left = (last != null) ? Duration.between(this.clock.instant(), last.plus(INTERVAL)) : Duration.ZERO;
		return (left.compareTo(Duration.ofSeconds(1)) > 0) ? left : Duration.ofSeconds(1);
	}

	/**
	 * Fetches the keys unless that happened recently. Does not wait.
	 * @return the running fetch, or a new one, or null if the last one was too recent
	 */
	synchronized @Nullable CompletableFuture<Boolean> startFetch() {
		Instant now = this.clock.instant();
		if (!this.fetch.isDone()) {
			return this.fetch;
		}
		if (this.lastFetch != null && now.isBefore(this.lastFetch.plus(INTERVAL))) {
			return null;
		}
		this.lastFetch = now;
		HttpRequest request = HttpRequest.newBuilder(this.uri)
			.header("Accept", "application/jwk-set+json, application/json")
			.timeout(TIMEOUT)
			.build();
		CompletableFuture<HttpResponse<byte[]>> exchange = this.client.sendAsync(request,
				BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
		this.fetch = exchange.copy()
			.orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
			.thenApply(RemoteKeys::parse)
			.handle((keys, failure) -> {
				if (failure != null) {
					// Closes the connection, if it is still open.
					exchange.cancel(true);
				}
				return fetched(keys, failure, now);
			});
		return this.fetch;
	}

	private static JWKSet parse(HttpResponse<byte[]> response) {
		if (response.statusCode() != 200) {
			throw new CompletionException("status " + response.statusCode(), null);
		}
		try {
			JWKSet keys = JWKSet.parse(new String(response.body(), StandardCharsets.UTF_8)).toPublicJWKSet();
			if (keys.isEmpty()) {
				throw new CompletionException("no public keys", null);
			}
			return keys;
		}
		catch (ParseException ex) {
			throw new CompletionException("no JSON Web Key Set", ex);
		}
	}

	private synchronized boolean fetched(@Nullable JWKSet keys, @Nullable Throwable failure, Instant startedAt) {
		if (keys != null) {
			this.known = new Known(keys, startedAt);
			if (this.failing) {
				log.info("The keys of issuer '{}' are available again", this.issuer);
			}
		}
		else if (!this.failing) {
			log.warn("Failed to fetch the keys of issuer '{}' from {}; known keys stay in use for {} hours: {}",
					this.issuer, this.uri, OUTAGE.toHours(), String.valueOf(failure));
		}
		this.failing = keys == null;
		return keys != null;
	}

}
