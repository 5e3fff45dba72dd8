package io.parley.nginx;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests nginx with a self-signed certificate. */
@EnabledIfDockerAvailable
class TlsIntegrationTests {

	private static final int HTTPS = 443;

	@RegisterExtension
	static final RunningServer server = new RunningServer();

	@TempDir
	static Path directory;

	private static GenericContainer<?> nginx;

	private static ChatClient alice;

	private static ChatClient stranger;

	@BeforeAll
	static void start() throws Exception {
		nginx = Containers.nginx(server.network(), Map.of());
		SelfSigned identity = SelfSigned.create(directory, nginx.getHost());
		nginx.withCopyToContainer(Transferable.of(identity.certificate()), "/etc/nginx/tls/certificate.pem")
			.withCopyToContainer(Transferable.of(identity.key()), "/etc/nginx/tls/key.pem")
			.withExposedPorts(80, HTTPS)
			.waitingFor(Wait.forHttp("/readyz").forPort(80));
		nginx.start();
		alice = server.alice().at(nginx.getHost() + ":" + nginx.getMappedPort(HTTPS), identity.trust());
		stranger = server.alice().at(nginx.getHost() + ":" + nginx.getMappedPort(80));
	}

	@AfterAll
	static void stop() {
		alice.close();
		stranger.close();
		nginx.stop();
	}

	@Test
	void carriesSessionsAndRequestsOverTls() throws Exception {
		ChatSession session = alice.join(server.room()).get(60, TimeUnit.SECONDS);
		alice.say(server.room(), "nobody else can read this");
		await().atMost(ConnectionLimitIntegrationTests.LONG).until(() -> session.heard("nobody else can read this"));
		assertThat(session.failures()).isEmpty();
		session.leave();
	}

	@Test
	void redirectsToTls() throws Exception {
		HttpResponse<String> response = stranger.get("/api/rooms?mine");
		assertThat(response.statusCode()).isEqualTo(308);
		assertThat(response.headers().firstValue("Location"))
			.contains("https://" + nginx.getHost() + "/api/rooms?mine");
	}

	@Test
	void tellsBrowsersToUseTlsOnly() throws Exception {
		HttpResponse<String> ofServer = alice.get("/api/rooms");
		HttpResponse<String> ofNginx = alice.get("/ws");
		assertThat(ofNginx.statusCode()).isEqualTo(426);
		for (HttpResponse<String> response : List.of(ofServer, ofNginx)) {
			assertThat(response.headers().allValues("Strict-Transport-Security"))
				.containsExactly("max-age=31536000; includeSubDomains");
			assertThat(response.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
			assertThat(response.headers().allValues("Content-Security-Policy")).hasSize(1);
		}
	}

	@Test
	void theRedirectHasSecurityHeaders() throws Exception {
		HttpResponse<String> response = stranger.get("/");
		assertThat(response.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
		assertThat(response.headers().allValues("Content-Security-Policy")).hasSize(1);
		assertThat(response.headers().allValues("Strict-Transport-Security")).isEmpty();
	}

	@Test
	void refusesOldVersionsOfTls() throws Exception {
		assertThat(curl("--tls-max", "1.1")).containsIgnoringCase("ssl");
	}

	/** Without forward secrecy, and without authenticated encryption. */
	@ParameterizedTest
	@ValueSource(strings = { "AES256-GCM-SHA384", "AES128-SHA", "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA384" })
	void refusesWeakCiphers(String cipher) throws Exception {
		assertThat(curl("--tls-max", "1.2", "--ciphers", cipher)).contains("handshake failure");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305" })
	void allowsStrongCiphers(String cipher) throws Exception {
		assertThat(curl("--tls-max", "1.2", "--ciphers", cipher)).isEmpty();
	}

	/** Returns the errors of a request inside of the container. */
	private String curl(String... options) throws Exception {
		List<String> command = new ArrayList<>(List.of("curl", "-sSk", "-o", "/dev/null", "https://127.0.0.1/livez"));
		command.addAll(List.of(options));
		return nginx.execInContainer(command.toArray(String[]::new)).getStderr();
	}

}
