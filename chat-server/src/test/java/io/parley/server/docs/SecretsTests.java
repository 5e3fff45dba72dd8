package io.parley.server.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the secrets that the first {@code ./chat up} makes. */
class SecretsTests {

	@TempDir
	private static Path directory;

	private static Path one;

	@BeforeAll
	static void make() throws Exception {
		one = directory.resolve("one");
		makeSecrets(one);
	}

	@Test
	void twoInstallationsShareNoSecret() throws Exception {
		Path two = directory.resolve("two");
		makeSecrets(two);
		Map<String, String> ofOne = files(one);
		Map<String, String> ofTwo = files(two);
		assertThat(ofTwo).hasSameSizeAs(ofOne).hasSizeGreaterThan(15);
		assertThat(ofTwo.keySet()).isEqualTo(ofOne.keySet());
		assertThat(ofTwo.values()).doesNotContainAnyElementsOf(ofOne.values());
	}

	@Test
	void noTwoPasswordsAreEqualAndAllAreLong() throws Exception {
		try (Stream<Path> passwords = Files.list(one.resolve("secrets"))) {
			assertThat(passwords.filter((file) -> !file.toString().endsWith(".json")).map(Document::text))
				.hasSizeGreaterThan(9)
				.doesNotHaveDuplicates()
				.allMatch((password) -> password.strip().replaceFirst(".*=", "").matches("[A-Za-z0-9_-]{43}"));
		}
	}

	@Test
	void onlyTheOwnerEntersTheDirectory() throws IOException {
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one))).isEqualTo("rwx------");
	}

	/** The containers run as other users. */
	@Test
	void allMayReadTheFilesInIt() throws IOException {
		try (Stream<Path> all = Files.walk(one)) {
			assertThat(all.filter(Files::isRegularFile))
				.allSatisfy((file) -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
					.isEqualTo("rw-r--r--"));
		}
	}

	@Test
	@Tag("exhaustive")
	void keepsWhatExistsAndReplacesWhatIsMissing() throws Exception {
		Path kept = directory.resolve("kept");
		makeSecrets(kept);
		Map<String, String> before = files(kept);
		makeSecrets(kept);
		assertThat(files(kept)).isEqualTo(before);
		Files.delete(kept.resolve("secrets/mysql-server"));
		Files.write(kept.resolve("jwt-private.pem"), new byte[0]);
		makeSecrets(kept);
		Map<String, String> after = files(kept);
		assertThat(after.keySet()).isEqualTo(before.keySet());
		assertThat(after.entrySet().stream().filter((file) -> !file.getValue().equals(before.get(file.getKey()))))
			.extracting(Map.Entry::getKey)
			.containsExactlyInAnyOrder("secrets/mysql-server", "jwt-private.pem");
	}

	@Test
	@Tag("exhaustive")
	void aNewPasswordReachesTheBroker() throws Exception {
		Path renewed = directory.resolve("renewed");
		makeSecrets(renewed);
		Path definitions = renewed.resolve("secrets/rabbitmq-definitions.json");
		Files.setLastModifiedTime(definitions, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
		Files.delete(renewed.resolve("secrets/rabbitmq-server"));
		makeSecrets(renewed);
		assertHashesMatch(renewed);
	}

	@Test
	void theBrokerGetsHashesOnly() throws Exception {
		assertHashesMatch(one);
		try (Stream<Path> passwords = Files.list(one.resolve("secrets"))) {
			String definitions = Document.text(one.resolve("secrets/rabbitmq-definitions.json"));
			assertThat(passwords.filter((file) -> file.getFileName().toString().startsWith("rabbitmq-")
					&& !file.toString().endsWith(".json")))
				.isNotEmpty()
				.allSatisfy((file) -> assertThat(definitions).doesNotContain(Document.text(file).strip()));
		}
	}

	@Test
	void theBrokerGetsTheRightsOfTheList() throws Exception {
		JsonNode definitions = definitions(one);
		Map<String, JsonNode> rights = new TreeMap<>();
		definitions.path("permissions").forEach((right) -> rights.put(right.path("user").asString(), right));
		assertThat(rights.keySet()).containsExactlyInAnyOrder("parley-server", "parley-persistence",
				"parley-notification", "parley-relay", "parley-monitor");
		assertThat(rights.get("parley-persistence").path("configure").asString()).isEqualTo("^$");
		assertThat("chat.rooms.0").matches(rights.get("parley-server").path("configure").asString() + ".*");
		assertThat("chatXrooms.0").doesNotMatch(rights.get("parley-server").path("configure").asString() + ".*");
		assertThat(definitions.path("users")).filteredOn((user) -> !user.path("tags").isEmpty())
			.extracting((user) -> user.path("name").asString())
			.containsExactly("parley-monitor");
	}

	@Test
	void theKeyOfTheAuthorityIsNotKept() throws IOException {
		assertThat(files(one).keySet()).filteredOn((name) -> name.startsWith("tls/"))
			.containsExactlyInAnyOrder("tls/ca.pem", "tls/ca.p12", "tls/mysql.pem", "tls/mysql-key.pem",
					"tls/rabbitmq.pem", "tls/rabbitmq-key.pem");
	}

	@ParameterizedTest
	@CsvSource({ "mysql, mysql", "rabbitmq, rabbitmq", "mysql, localhost" })
	void theCertificatesAreTrustedForTheirHosts(String server, String host) throws Exception {
		assertThat(handshake(one, one, server, host)).isEqualTo("CN=" + server + ",O=Parley");
	}

	@ParameterizedTest
	@CsvSource({ "mysql, rabbitmq", "rabbitmq, mysql", "mysql, db.example.org" })
	void theCertificatesAreRefusedForOtherHosts(String server, String host) {
		assertThatThrownBy(() -> handshake(one, one, server, host)).isInstanceOf(SSLException.class);
	}

	@Test
	@Tag("exhaustive")
	void theCertificatesOfAnotherInstallationAreRefused() throws Exception {
		Path other = directory.resolve("other");
		makeSecrets(other);
		assertThatThrownBy(() -> handshake(one, other, "mysql", "mysql")).isInstanceOf(SSLException.class);
	}

	/** Returns the name in the certificate that a client of the host has accepted. */
	private static String handshake(Path trusted, Path issued, String server, String host) throws Exception {
		SSLContext ofServer = SSLContext.getInstance("TLS");
		ofServer.init(keys(issued, server).getKeyManagers(), null, null);
		SSLContext ofClient = SSLContext.getInstance("TLS");
		ofClient.init(null, trust(trusted).getTrustManagers(), null);
		try (SSLServerSocket listening = (SSLServerSocket) ofServer.getServerSocketFactory()
			.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> accept(listening));
			InetAddress address = InetAddress.getByAddress(host, InetAddress.getLoopbackAddress().getAddress());
			try (SSLSocket client = (SSLSocket) ofClient.getSocketFactory()
				.createSocket(address, listening.getLocalPort())) {
				SSLParameters parameters = client.getSSLParameters();
				parameters.setEndpointIdentificationAlgorithm("HTTPS");
				client.setSSLParameters(parameters);
				client.startHandshake();
				return ((X509Certificate) client.getSession().getPeerCertificates()[0]).getSubjectX500Principal()
					.getName();
			}
			finally {
				listening.close();
				accepted.exceptionally((failure) -> null).join();
			}
		}
	}

	private static void accept(SSLServerSocket listening) {
		try (SSLSocket socket = (SSLSocket) listening.accept()) {
			socket.startHandshake();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static KeyManagerFactory keys(Path directory, String server) throws Exception {
		Path tls = directory.resolve("tls");
		Certificate certificate;
		try (InputStream in = Files.newInputStream(tls.resolve(server + ".pem"))) {
			certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
		}
		String pem = Document.text(tls.resolve(server + "-key.pem")).replaceAll("-----.*-----|\\s", "");
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		store.setKeyEntry(server,
				KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))),
				new char[0], new Certificate[] { certificate });
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(store, new char[0]);
		return keys;
	}

	/** Loads the file as MySQL's driver does, which passes an empty password. */
	private static TrustManagerFactory trust(Path directory) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(directory.resolve("tls/ca.p12"))) {
			store.load(in, new char[0]);
		}
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(store);
		return trust;
	}

	private static void assertHashesMatch(Path secrets) throws Exception {
		JsonNode users = definitions(secrets).path("users");
		assertThat(users).hasSize(5);
		for (JsonNode user : users) {
			byte[] saltAndHash = Base64.getDecoder().decode(user.path("password_hash").asString());
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			digest.update(saltAndHash, 0, 4);
			String file = "secrets/" + user.path("name").asString().replace("parley-", "rabbitmq-");
			byte[] hash = digest.digest(Document.text(secrets.resolve(file)).strip().getBytes(StandardCharsets.UTF_8));
			assertThat(hash).as(file).isEqualTo(Arrays.copyOfRange(saltAndHash, 4, saltAndHash.length));
		}
	}

	private static JsonNode definitions(Path secrets) {
		return new JsonMapper().readTree(Document.text(secrets.resolve("secrets/rabbitmq-definitions.json")));
	}

	/** Returns the contents of all files by name. */
	private static Map<String, String> files(Path directory) throws IOException {
		Map<String, String> files = new TreeMap<>();
		try (Stream<Path> all = Files.walk(directory)) {
			for (Path file : all.filter(Files::isRegularFile).toList()) {
				files.put(directory.relativize(file).toString(),
						new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
			}
		}
		return files;
	}

	private static void makeSecrets(Path directory) throws Exception {
		assertThat(Shell.java("scripts/MakeSecrets.java", directory.toString())).isEmpty();
	}

}
