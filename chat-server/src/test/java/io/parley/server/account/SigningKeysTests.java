package io.parley.server.account;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import io.parley.log.SigningKey;
import io.parley.server.settings.ImpossibleSettingsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The key files change while the server runs. */
class SigningKeysTests {

	private static final String SIGNING = "jwt-private.pem";

	@TempDir
	private Path directory;

	private SigningKeys keys;

	@BeforeEach
	void load() {
		SigningKey.writeTo(this.directory);
		this.keys = keys();
	}

	private SigningKeys keys() {
		return new SigningKeys(
				new JwtKeys(new JwtProperties(null, this.directory, "parley", Duration.ofMinutes(1)), true));
	}

	@Test
	void theIdIsTheThumbprintAndOnlyThePublicPartIsPublished() throws Exception {
		String id = this.keys.get(new JWKSelector(new JWKMatcher.Builder().build()), null)
			.getFirst()
			.computeThumbprint()
			.toString();
		assertThat(this.keys.current()).isEqualTo(id);
		assertThat(published()).hasSize(1)
			.first()
			.satisfies((key) -> assertThat(key).containsEntry("kid", id)
				.containsEntry("use", "sig")
				.containsOnlyKeys("kty", "e", "n", "use", "alg", "kid"));
	}

	@Test
	void acceptsFurtherKeysWithoutSigningWithThem() throws Exception {
		String before = this.keys.current();
		write("a-private.pem", "PRIVATE KEY", pair().getPrivate().getEncoded());
		write("b-public.pem", "PUBLIC KEY", pair().getPublic().getEncoded());
		Files.writeString(this.directory.resolve("notes.txt"), "no key");
		this.keys.reload();
		assertThat(this.keys.current()).isEqualTo(before);
		assertThat(published()).hasSize(3);
	}

	@Test
	void signsWithTheKeyThatReplacesTheFirst() throws Exception {
		String before = this.keys.current();
		Files.copy(this.directory.resolve(SIGNING), this.directory.resolve("old.pem"));
		write("next.pem", "PRIVATE KEY", pair().getPrivate().getEncoded());
		this.keys.reload();
		Files.move(this.directory.resolve("next.pem"), this.directory.resolve(SIGNING), StandardCopyOption.ATOMIC_MOVE);
		this.keys.reload();
		assertThat(this.keys.current()).isNotEqualTo(before);
		assertThat(published()).extracting((key) -> key.get("kid"))
			.containsExactlyInAnyOrder(before, this.keys.current());
		assertThat(keys().current()).isEqualTo(this.keys.current());
	}

	@Test
	void keepsThePreviousKeysWhenAFileIsDamagedOrMissing() throws Exception {
		List<Map<String, Object>> before = published();
		write("further.pem", "PRIVATE KEY", pair().getPrivate().getEncoded());
		Files.writeString(this.directory.resolve("damaged.pem"), "-----BEGIN PRIVATE KEY-----\nnonsense\n");
		this.keys.reload();
		assertThat(published()).isEqualTo(before);
		Files.delete(this.directory.resolve("damaged.pem"));
		Files.move(this.directory.resolve(SIGNING), this.directory.resolve("moved"));
		this.keys.reload();
		assertThat(published()).isEqualTo(before);
		assertThat(this.directory.resolve(SIGNING)).doesNotExist();
		Files.move(this.directory.resolve("moved"), this.directory.resolve(SIGNING));
		this.keys.reload();
		assertThat(published()).hasSize(2).containsAll(before);
	}

	@Test
	void refusesAShortKeyAndAPublicKeyThatShouldSign() throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(1_024);
		write("short.pem", "PUBLIC KEY", generator.generateKeyPair().getPublic().getEncoded());
		assertThatThrownBy(this::keys).isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("short.pem")
			.hasMessageContaining("2048");
		Files.delete(this.directory.resolve("short.pem"));
		write(SIGNING, "PUBLIC KEY", pair().getPublic().getEncoded());
		assertThatThrownBy(this::keys).isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("private key");
	}

	@SuppressWarnings("unchecked")
	private List<Map<String, Object>> published() {
		return (List<Map<String, Object>>) this.keys.published().get("keys");
	}

	private void write(String file, String kind, byte[] key) throws IOException {
		Files.writeString(this.directory.resolve(file), "-----BEGIN " + kind + "-----\n"
				+ Base64.getMimeEncoder().encodeToString(key) + "\n-----END " + kind + "-----\n");
	}

	private static KeyPair pair() throws NoSuchAlgorithmException {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(2_048);
		return generator.generateKeyPair();
	}

}
