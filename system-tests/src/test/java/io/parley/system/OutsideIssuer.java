package io.parley.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.http.NettyWrapper;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import no.nav.security.mock.oauth2.token.KeyProvider;
import no.nav.security.mock.oauth2.token.OAuth2TokenProvider;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A provider of OpenID Connect, and a client that signs in there as the page does: it
 * reads the endpoints from the issuer and uses the code flow with PKCE.
 */
final class OutsideIssuer implements AutoCloseable {

	static final String AUDIENCE = "the-chat";

	private static final String ID = "company";

	private static final String CLIENT = "parley-page";

	private static final Pattern CODE = Pattern.compile("[?&]code=([^&]+)");

	private static final JsonMapper JSON = new JsonMapper();

	private final HttpClient http = HttpClient.newHttpClient();

	private MockOAuth2Server server = newServer();

	private final int port;

	OutsideIssuer() throws IOException, InterruptedException {
		this.server.start(InetAddress.getLoopbackAddress(), 0);
		this.port = this.server.baseUrl().port();
		generateKey();
	}

	String name() {
		return "http://127.0.0.1:" + this.port + "/" + ID;
	}

	String[] settings() {
		String prefix = "--chat.security.issuers[0].";
		return new String[] { prefix + "issuer=" + name(), prefix + "jwks-uri=" + name() + "/jwks",
				prefix + "audience=" + AUDIENCE, prefix + "client-id=" + CLIENT,
				prefix + "scope=openid profile " + AUDIENCE };
	}

	/** Restarts with another key, which has the same id. */
	synchronized void replaceKey() throws IOException, InterruptedException {
		this.server.shutdown();
		// The old one may still have the port.
		await().ignoreExceptions().atMost(Duration.ofSeconds(60)).until(() -> {
			MockOAuth2Server next = newServer();
			next.start(InetAddress.getLoopbackAddress(), this.port);
			this.server = next;
			return true;
		});
		generateKey();
	}

	/** The first request takes longer than the chat waits for keys. */
	private void generateKey() throws IOException, InterruptedException {
		assertThat(get(name() + "/jwks").statusCode()).isEqualTo(200);
	}

	/** Has no keys yet. Netty, unlike the default, may listen on the same port again. */
	private static MockOAuth2Server newServer() {
		return new MockOAuth2Server(new OAuth2Config(false, null, null, false,
				new OAuth2TokenProvider(new KeyProvider(List.of())), Set.of(), new NettyWrapper()));
	}

	/** Signs a user in and returns the access token. */
	synchronized String signIn(String subject, String userName) throws IOException, InterruptedException {
		this.server.enqueueCallback(new DefaultOAuth2TokenCallback(ID, subject, "JWT", List.of(AUDIENCE),
				Map.of("preferred_username", userName), 600));
		JsonNode discovered = JSON.readTree(get(name() + "/.well-known/openid-configuration").body());
		assertThat(discovered.path("issuer").asString()).isEqualTo(name());
		String verifier = UUID.randomUUID().toString() + UUID.randomUUID();
		HttpResponse<String> redirect = get(discovered.path("authorization_endpoint").asString() + "?"
				+ form(Map.of("response_type", "code", "client_id", CLIENT, "redirect_uri", "http://127.0.0.1/",
						"scope", "openid profile", "state", "s", "code_challenge", challenge(verifier),
						"code_challenge_method", "S256")));
		Matcher code = CODE.matcher(redirect.headers().firstValue("Location").orElse(""));
		assertThat(code.find()).as(redirect.body()).isTrue();
		HttpResponse<String> tokens = this.http
			.send(HttpRequest.newBuilder(URI.create(discovered.path("token_endpoint").asString()))
				.header("Content-Type", "application/x-www-form-urlencoded")
				.POST(BodyPublishers.ofString(form(Map.of("grant_type", "authorization_code", "code", code.group(1),
						"client_id", CLIENT, "redirect_uri", "http://127.0.0.1/", "code_verifier", verifier))))
				.build(), BodyHandlers.ofString());
		assertThat(tokens.statusCode()).as(tokens.body()).isEqualTo(200);
		return JSON.readTree(tokens.body()).path("access_token").asString();
	}

	private HttpResponse<String> get(String address) throws IOException, InterruptedException {
		return this.http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
	}

	private static String challenge(String verifier) {
		try {
			return Base64.getUrlEncoder()
				.withoutPadding()
				.encodeToString(
						MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String form(Map<String, String> fields) {
		return fields.entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&"));
	}

	@Override
	public void close() {
		this.server.shutdown();
		this.http.close();
	}

}
