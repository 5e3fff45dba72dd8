package io.parley.server.account;

import java.util.List;
import java.util.Map;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import io.parley.log.config.LogProperties;
import io.parley.server.settings.ImpossibleSettingsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The keys whose tokens are accepted, one of which signs. Their files may change while
 * the server runs. Safe for use by many threads.
 */
@Component
class SigningKeys implements JWKSource<SecurityContext> {

	private static final Logger log = LoggerFactory.getLogger(SigningKeys.class);

	private final JwtKeys files;

	private volatile Keys keys;

	private @Nullable String lastFailure;

	@Autowired
	SigningKeys(JwtProperties properties, LogProperties log) {
		this(new JwtKeys(properties, log.backend() == LogProperties.Backend.EMBEDDED));
	}

	SigningKeys(JwtKeys files) {
		this.files = files;
		this.keys = new Keys(files.load());
	}

	/**
	 * Immutable.
	 *
	 * @param current the id of the key that signs
	 */
	private record Keys(String current, JWKSet all) {

		Keys(List<RSAKey> keys) {
			this(keys.getFirst().getKeyID(), new JWKSet(List.<JWK>copyOf(keys)));
		}

	}

	/** Returns the id of the key that signs. */
	String current() {
		return this.keys.current();
	}

	/** Returns the public keys as a JSON Web Key Set (RFC 7517). */
	Map<String, Object> published() {
		return this.keys.all().toPublicJWKSet().toJSONObject();
	}

	@Override
	public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) {
		return selector.select(this.keys.all());
	}

	/** Reads the files again. Keeps the previous keys if that fails. */
	@Scheduled(fixedDelay = 5_000)
	synchronized void reload() {
		try {
			Keys read = new Keys(this.files.reload());
			this.lastFailure = null;
			if (!read.equals(this.keys)) {
				this.keys = read;
				log.info("Read the keys of tokens again: '{}' signs, {} are accepted", read.current(),
						read.all().getKeys().size());
			}
		}
		catch (ImpossibleSettingsException ex) {
			if (!String.valueOf(ex.getMessage()).equals(this.lastFailure)) {
				this.lastFailure = String.valueOf(ex.getMessage());
				log.warn("The keys of tokens have changed and cannot be read; the previous ones stay in use: {}",
						ex.getMessage());
			}
		}
	}

}
