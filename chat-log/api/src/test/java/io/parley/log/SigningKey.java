package io.parley.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The key with which all servers of this JVM's tests sign tokens. A new key for each
 * server would cost a second of processor time.
 */
public final class SigningKey {

	private static final String PEM = generate();

	private SigningKey() {
	}

	/** Returns a copy of the key that is deleted when the JVM ends. */
	public static Path file() {
		try {
			Path directory = Files.createTempDirectory("keys");
			directory.toFile().deleteOnExit();
			Path file = writeTo(directory);
			file.toFile().deleteOnExit();
			return file;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Writes the key where a server looks for it, unless the server has one. */
	public static Path writeTo(Path keyDirectory) {
		Path file = keyDirectory.resolve("jwt-private.pem");
		if (Files.exists(file)) {
			return file;
		}
		try {
			Files.createDirectories(keyDirectory);
			Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
			return Files.writeString(file, PEM);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String generate() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			// As long as those that servers make. The default is longer, and each
			// signature takes three times as long.
			generator.initialize(2_048);
			byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
			return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
					+ "\n-----END PRIVATE KEY-----\n";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
