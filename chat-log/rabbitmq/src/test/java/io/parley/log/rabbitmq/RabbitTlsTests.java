package io.parley.log.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

import io.parley.log.config.RoomLogAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which certificates the log accepts. The server only makes the TLS handshake and reads
 * the first bytes; {@code chat-log/it} has the tests with RabbitMQ.
 */
class RabbitTlsTests {

	private static final String PASSWORD = "only for this run";

	@TempDir
	private Path directory;

	@Test
	void connectsToTheHostOfATrustedCertificate() throws Exception {
		keytool("ca", "-ext", "bc:c");
		keytool("broker", "-signer", "ca", "-ext", "san=dns:localhost");
		assertThat(firstBytes("ca", "broker", "localhost")).isNotEmpty();
	}

	@Test
	void refusesTheCertificateOfAnotherHost() throws Exception {
		keytool("ca", "-ext", "bc:c");
		keytool("broker", "-signer", "ca", "-ext", "san=dns:rabbit.example.org");
		assertThatThrownBy(() -> firstBytes("ca", "broker", "localhost")).hasRootCauseInstanceOf(SSLException.class);
	}

	@Test
	void refusesTheCertificateOfAnotherAuthority() throws Exception {
		keytool("ca", "-ext", "bc:c");
		keytool("other", "-ext", "bc:c");
		keytool("broker", "-signer", "other", "-ext", "san=dns:localhost");
		assertThatThrownBy(() -> firstBytes("ca", "broker", "localhost")).hasRootCauseInstanceOf(SSLException.class);
	}

	@Test
	void saysWhichBundleIsMissing() {
		runner("rabbit-1:5551", "chat.log.rabbitmq.ssl-bundle=none")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("none"));
	}

	/** Returns what the log sends to a broker that has this certificate. */
	private byte[] firstBytes(String trusted, String certificate, String host) throws Exception {
		try (SSLServerSocket server = server(certificate)) {
			CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> accept(server));
			Path pem = this.directory.resolve("trusted.pem");
			keytool("-exportcert", "-rfc", "-alias", trusted, "-file", pem.toString());
			runner(host + ":" + server.getLocalPort(), "chat.log.rabbitmq.ssl-bundle=inner",
					"spring.ssl.bundle.pem.inner.truststore.certificate=" + pem.toUri())
				.run((context) -> assertThat(context).hasFailed());
			return received.get(30, TimeUnit.SECONDS);
		}
	}

	private static ApplicationContextRunner runner(String address, String... properties) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RoomLogAutoConfiguration.class,
					RabbitLogAutoConfiguration.class))
			.withPropertyValues("chat.log.backend=rabbitmq", "chat.log.rabbitmq.addresses=" + address,
					"chat.log.rabbitmq.password=only-in-this-test", "chat.log.rabbitmq.start-timeout=0s")
			.withPropertyValues(properties);
	}

	private static byte[] accept(SSLServerSocket server) {
		try (SSLSocket socket = (SSLSocket) server.accept()) {
			socket.setSoTimeout(20_000);
			return socket.getInputStream().readNBytes(4);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private SSLServerSocket server(String certificate) throws Exception {
		KeyStore all = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(this.directory.resolve("keys.p12"))) {
			all.load(in, PASSWORD.toCharArray());
		}
		KeyStore own = KeyStore.getInstance("PKCS12");
		own.load(null, null);
		own.setKeyEntry(certificate, all.getKey(certificate, PASSWORD.toCharArray()), PASSWORD.toCharArray(),
				all.getCertificateChain(certificate));
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(own, PASSWORD.toCharArray());
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keys.getKeyManagers(), null, null);
		return (SSLServerSocket) context.getServerSocketFactory()
			.createServerSocket(0, 5, InetAddress.getLoopbackAddress());
	}

	/** Creates a key pair, or runs another command of the keytool of this JDK. */
	private void keytool(String first, String... arguments) throws IOException, InterruptedException {
		ProcessBuilder keytool = new ProcessBuilder(
				Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
		if (first.startsWith("-")) {
			keytool.command().add(first);
		}
		else {
			keytool.command()
				.addAll(List.of("-genkeypair", "-alias", first, "-keyalg", "EC", "-dname", "CN=" + first, "-validity",
						"1"));
		}
		keytool.command().addAll(List.of(arguments));
		keytool.command()
			.addAll(List.of("-keystore", this.directory.resolve("keys.p12").toString(), "-storepass", PASSWORD));
		Process process = keytool.redirectErrorStream(true).start();
		String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(said).isZero();
	}

}
