package io.parley.server.issuer;

import java.time.Clock;
import java.time.Instant;
import java.util.List;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import org.jspecify.annotations.Nullable;

/**
 * One key of an issuer, and perhaps a previous one for a limited time. The header
 * {@code kid} of tokens is ignored. Immutable.
 *
 * @param previousUntil the previous key is not accepted from then on
 */
record FixedKeys(JWK key, @Nullable JWK previous, Instant previousUntil,
		Clock clock) implements JWKSource<SecurityContext> {

	@Override
	public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) {
		JWK old = this.previous;
		return (old != null && this.clock.instant().isBefore(this.previousUntil)) ? List.of(this.key, old)
				: List.of(this.key);
	}

}
