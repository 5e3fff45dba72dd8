package io.parley.nginx;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A new RSA key with a self-signed certificate for one host, and an SSL context that
 * trusts it. With another type of key, no cipher whose name has RSA could be tried.
 */
record SelfSigned(String certificate, String key, SSLContext trust) {

	private static final char[] PASSWORD = "only for this run".toCharArray();

	/** Creates the key with the keytool of this JDK in the directory. */
	static SelfSigned create(Path directory, String host)
			throws IOException, InterruptedException, GeneralSecurityException {
		Path file = directory.resolve("chat.p12");
		String kind = host.matches("[0-9.]+") ? "ip:" : "dns:";
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "chat", "-keyalg", "RSA", "-dname", "CN=chat", "-ext", "san=" + kind + host,
				"-validity", "1", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass",
				new String(PASSWORD))
			.redirectErrorStream(true)
			.start();
		String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (keytool.waitFor() != 0) {
			throw new IOException("keytool failed: " + said);
		}
		return read(file);
	}

	private static SelfSigned read(Path file) throws IOException, GeneralSecurityException {
		KeyStore made = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			made.load(in, PASSWORD);
		}
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("chat", made.getCertificate("chat"));
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trust.getTrustManagers(), null);
		return new SelfSigned(pem("CERTIFICATE", made.getCertificate("chat").getEncoded()),
				pem("PRIVATE KEY", made.getKey("chat", PASSWORD).getEncoded()), context);
	}

	private static String pem(String kind, byte[] encoded) {
		return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(kind,
				Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(encoded), kind);
	}

}
