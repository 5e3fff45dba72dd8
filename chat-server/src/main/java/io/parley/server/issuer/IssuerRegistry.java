package io.parley.server.issuer;

import java.net.http.HttpClient;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.parley.server.error.ErrorCode;
import io.parley.server.settings.ImpossibleSettingsException;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The external issuers whose tokens are accepted. The list is fixed when the server
 * starts, and no two issuers share keys. Safe for use by many threads.
 */
@Component
public class IssuerRegistry {

	private final Map<String, IssuerDecoder> decoders = new LinkedHashMap<>();

	private final List<RemoteKeys> remote;

	/** For the key servers of all issuers. */
	private final HttpClient client = HttpClient.newBuilder().connectTimeout(RemoteKeys.TIMEOUT).build();

	/**
	 * @throws ImpossibleSettingsException if an issuer cannot be used with its settings
	 */
	IssuerRegistry(IssuerProperties properties, Clock clock) {
		for (int i = 0; i < properties.issuers().size(); i++) {
			IssuerSettings settings = new IssuerSettings(i, properties.issuers().get(i));
			IssuerDecoder decoder = settings.decoder(this.client, clock);
			if (this.decoders.putIfAbsent(decoder.issuer(), decoder) != null) {
				throw new ImpossibleSettingsException("chat.security.issuers lists '" + decoder.issuer()
						+ "' twice: remove one of the two, or merge them.");
			}
		}
		this.remote = this.decoders.values()
			.stream()
			.map(IssuerDecoder::keys)
			.filter(RemoteKeys.class::isInstance)
			.map(RemoteKeys.class::cast)
			.toList();
	}

	/** Returns whether there are no issuers. */
	public boolean isEmpty() {
		return this.decoders.isEmpty();
	}

	/** Returns whether tokens with this claim {@code iss} are accepted. */
	public boolean contains(String issuer) {
		return this.decoders.containsKey(issuer);
	}

	/**
	 * Verifies a token.
	 * @param issuer the claim {@code iss} of the token, unverified
	 * @throws io.parley.server.error.ChatException {@code unauthorized} if there is no
	 * such issuer or the token is forged, expired or not for this server;
	 * {@code issuer-unavailable} if the keys of the issuer are not known at present
	 */
	public ExternalToken verify(String issuer, String token) {
		IssuerDecoder decoder = this.decoders.get(issuer);
		if (decoder == null) {
			throw ErrorCode.UNAUTHORIZED.because("The issuer of the token is not accepted here; sign in.");
		}
		return decoder.verify(token);
	}

	/** Keeps the keys up to date, so that no token waits for them. */
	@PostConstruct
	@Scheduled(fixedDelay = 5_000)
	void refreshKeys() {
		this.remote.forEach(RemoteKeys::refresh);
	}

	@PreDestroy
	void stop() {
		this.client.shutdownNow();
	}

}
