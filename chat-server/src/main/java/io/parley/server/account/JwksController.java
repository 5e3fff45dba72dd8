package io.parley.server.account;

import java.time.Duration;
import java.util.Map;

import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Publishes the public keys of the tokens: {@code /.well-known/jwks.json}. */
@RestController
class JwksController {

	/** A new key is published for longer than this before it signs. */
	private static final Duration CACHED = Duration.ofMinutes(5);

	private final SigningKeys keys;

	JwksController(SigningKeys keys) {
		this.keys = keys;
	}

	@GetMapping("/.well-known/jwks.json")
	ResponseEntity<Map<String, Object>> keys() {
		return ResponseEntity.ok().cacheControl(CacheControl.maxAge(CACHED).cachePublic()).body(this.keys.published());
	}

}
