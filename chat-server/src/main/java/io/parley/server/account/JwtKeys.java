package io.parley.server.account;

import java.io.IOException;
import java.io.InputStream;
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

import com.nimbusds.jose.jwk.RSAKey;
import io.parley.server.settings.ImpossibleSettingsException;

import org.springframework.security.converter.RsaKeyConverters;

/** Loads the key that signs tokens, or generates and stores one. */
final class JwtKeys {

	private static final String FILE = "jwt-private.pem";

	private final JwtProperties properties;

	private final boolean mayGenerate;

	JwtKeys(JwtProperties properties, boolean mayGenerate) {
		this.properties = properties;
		this.mayGenerate = mayGenerate;
	}

	RSAKey signingKey() {
		try {
			if (this.properties.privateKey() != null) {
				return read(this.properties.privateKey().getInputStream());
			}
			if (!this.mayGenerate) {
				throw new ImpossibleSettingsException(
						"chat.security.jwt.private-key is not set: several servers must sign "
								+ "with the same key. Generate one with 'openssl genpkey -algorithm RSA -out jwt.pem' "
								+ "and set its location on each server.");
			}
			Path file = this.properties.keyDirectory().resolve(FILE);
			if (!Files.exists(file)) {
				generate(file);
			}
			return read(Files.newInputStream(file));
		}
		catch (IOException ex) {
			throw new ImpossibleSettingsException("The signing key for tokens cannot be read or written (" + ex
					+ "): check chat.security.jwt.private-key and .key-directory.");
		}
		catch (GeneralSecurityException | IllegalArgumentException ex) {
			throw new ImpossibleSettingsException("The signing key for tokens is not an RSA key in PKCS#8 PEM form ("
					+ ex.getMessage() + "): generate one with 'openssl genpkey -algorithm RSA -out jwt.pem'.");
		}
	}

	private static RSAKey read(InputStream pem) throws IOException, GeneralSecurityException {
		try (pem) {
			PrivateKey key = RsaKeyConverters.pkcs8().convert(pem);
			if (!(key instanceof RSAPrivateCrtKey rsa)) {
				throw new GeneralSecurityException("Not an RSA key in PKCS#8 PEM form");
			}
			RSAPublicKey publicKey = (RSAPublicKey) KeyFactory.getInstance("RSA")
				.generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
			return new RSAKey.Builder(publicKey).privateKey(rsa).build();
		}
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
