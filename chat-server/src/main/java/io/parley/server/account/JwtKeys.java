package io.parley.server.account;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import io.parley.server.settings.ImpossibleSettingsException;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.security.converter.RsaKeyConverters;

/**
 * Reads the keys of tokens from their files, or generates the key that signs. Safe for
 * use by many threads.
 */
final class JwtKeys {

	private static final String FILE = "jwt-private.pem";

	private static final int MIN_BITS = 2_048;

	private final JwtProperties properties;

	private final boolean mayGenerate;

	JwtKeys(JwtProperties properties, boolean mayGenerate) {
		this.properties = properties;
		this.mayGenerate = mayGenerate;
	}

	/**
	 * Returns the key that signs, then those that are accepted besides. Generates the
	 * first one if that is allowed and it does not exist.
	 * @throws ImpossibleSettingsException if a key is missing or cannot be read
	 */
	List<RSAKey> load() {
		return read(true);
	}

	/**
	 * Does the same as {@link #load}, but generates no key: a file that is missing may be
	 * about to be replaced.
	 */
	List<RSAKey> reload() {
		return read(false);
	}

	private List<RSAKey> read(boolean start) {
		RSAKey signing = read(signingKey(start));
		if (!signing.isPrivate()) {
			throw invalid("the key that signs must be a private key");
		}
		Map<String, RSAKey> keys = new LinkedHashMap<>();
		keys.put(signing.getKeyID(), signing);
		others().map((file) -> read(new FileSystemResource(file)))
			.forEach((key) -> keys.putIfAbsent(key.getKeyID(), key));
		return List.copyOf(keys.values());
	}

	private Resource signingKey(boolean start) {
		if (this.properties.privateKey() != null) {
			return this.properties.privateKey();
		}
		Path file = this.properties.keyDirectory().resolve(FILE);
		if (start && !Files.exists(file)) {
			requireGenerating();
			try {
				generate(file);
			}
			catch (IOException | GeneralSecurityException ex) {
				throw unreadable(ex);
			}
		}
		return new FileSystemResource(file);
	}

	private void requireGenerating() {
		if (!this.mayGenerate) {
			throw new ImpossibleSettingsException("chat.security.jwt.private-key is not set: several servers must sign "
					+ "with the same key. Generate one with 'openssl genpkey -algorithm RSA -out jwt.pem' "
					+ "and set its location on each server.");
		}
	}

	/** Returns the key files of the directory, in the order of their names. */
	private Stream<Path> others() {
		Path directory = this.properties.keyDirectory();
		if (!Files.isDirectory(directory)) {
			return Stream.empty();
		}
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> file.toString().endsWith(".pem") && Files.isRegularFile(file))
				.sorted()
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	private static RSAKey read(Resource file) {
		try {
			String pem = file.getContentAsString(StandardCharsets.US_ASCII);
			RSAKey key = pem.contains("PUBLIC KEY") ? publicKey(pem) : privateKey(pem);
			if (key.size() < MIN_BITS) {
				throw invalid(file + ": fewer than " + MIN_BITS + " bits");
			}
			return key;
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
		catch (GeneralSecurityException | JOSEException | IllegalArgumentException ex) {
			throw invalid(file + ": " + ex.getMessage());
		}
	}

	private static RSAKey privateKey(String pem) throws GeneralSecurityException, JOSEException {
		PrivateKey key = RsaKeyConverters.pkcs8().convert(stream(pem));
		if (!(key instanceof RSAPrivateCrtKey rsa)) {
			throw new GeneralSecurityException("not an RSA key");
		}
		RSAPublicKey publicKey = (RSAPublicKey) KeyFactory.getInstance("RSA")
			.generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
		return build(new RSAKey.Builder(publicKey).privateKey(rsa));
	}

	private static RSAKey publicKey(String pem) throws JOSEException {
		return build(new RSAKey.Builder(RsaKeyConverters.x509().convert(stream(pem))));
	}

	private static InputStream stream(String pem) {
		return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
	}

	/** The id of the key is its thumbprint (RFC 7638). */
	private static RSAKey build(RSAKey.Builder key) throws JOSEException {
		return key.keyUse(KeyUse.SIGNATURE).algorithm(JWSAlgorithm.RS256).keyIDFromThumbprint().build();
	}

	private static ImpossibleSettingsException unreadable(Exception cause) {
		return new ImpossibleSettingsException("A key for tokens cannot be read or written (" + cause
				+ "): check chat.security.jwt.private-key and .key-directory.");
	}

	private static ImpossibleSettingsException invalid(String fault) {
		return new ImpossibleSettingsException("A key for tokens is not an RSA key in PEM form, PKCS#8 or public ("
				+ fault + "): generate one with 'openssl genpkey -algorithm RSA -out jwt.pem'.");
	}

	private static void generate(Path file) throws IOException, GeneralSecurityException {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(2048);
		byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
		Files.createDirectories(file.toAbsolutePath().getParent());
		Path temporary = file.resolveSibling(FILE + ".new");
		Files.deleteIfExists(temporary);
		// Created with its permissions, so that other users can never read it.
		Files.createFile(temporary, ownerOnly(temporary));
		Files.writeString(temporary, "-----BEGIN PRIVATE KEY-----\n"
				+ Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(key) + "\n-----END PRIVATE KEY-----\n");
		Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
	}

	private static FileAttribute<?>[] ownerOnly(Path file) {
		return file.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")) }
				: new FileAttribute<?>[0];
	}

}
