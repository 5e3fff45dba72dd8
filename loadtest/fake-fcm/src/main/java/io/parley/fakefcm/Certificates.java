package io.parley.fakefcm;

import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;

import javax.net.ssl.KeyManagerFactory;

/**
 * The certificate of the fake. For tests only: its key is public.
 */
final class Certificates {

	private static final char[] PASSWORD = "fake-fcm".toCharArray();

	private Certificates() {
	}

	static KeyManagerFactory keys() {
		try {
			KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			factory.init(store(), PASSWORD);
			return factory;
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static X509Certificate certificate() {
		try {
			return (X509Certificate) store().getCertificate("fake-fcm");
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns the certificate in PEM format.
	 */
	static byte[] pem() throws IOException {
		try (InputStream in = open("fake-fcm.crt")) {
			return in.readAllBytes();
		}
	}

	private static KeyStore store() throws GeneralSecurityException, IOException {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = open("fake-fcm.p12")) {
			store.load(in, PASSWORD);
		}
		return store;
	}

	private static InputStream open(String name) throws IOException {
		InputStream in = Certificates.class.getResourceAsStream(name);
		if (in == null) {
			throw new IOException(name + " is not in the jar");
		}
		return in;
	}

}
