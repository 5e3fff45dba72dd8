package io.parley.fakefcm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a credentials file in the format of Google's consoles.
 */
final class ServiceAccount {

	/**
	 * Generated once per process, because key generation is slow.
	 */
	private static final String PRIVATE_KEY = privateKey();

	private ServiceAccount() {
	}

	static Path write(Path directory, String tokenUri) {
		Map<String, String> account = new LinkedHashMap<>();
		account.put("type", "service_account");
		account.put("project_id", "parley-test");
		account.put("private_key_id", "1");
		account.put("private_key", PRIVATE_KEY);
		account.put("client_email", "push@parley-test.iam.gserviceaccount.com");
		account.put("client_id", "1");
		account.put("token_uri", tokenUri);
		try {
			Files.createDirectories(directory);
			return Files.writeString(directory.resolve("service-account.json"),
					JsonMapper.shared().writeValueAsString(account));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String privateKey() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			// A short key is sufficient: it protects nothing.
			generator.initialize(1024);
			byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
			return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(key)
					+ "\n-----END PRIVATE KEY-----\n";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
