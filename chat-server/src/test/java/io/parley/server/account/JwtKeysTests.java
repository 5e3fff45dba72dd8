package io.parley.server.account;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

import io.parley.server.settings.ImpossibleSettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JwtKeysTests {

	@TempDir
	Path directory;

	@Test
	void keepsItsGeneratedKeyAcrossARestart() throws Exception {
		var first = keys(null, true).load().getFirst();
		assertThat(keys(null, true).load().getFirst().toRSAPrivateKey()).isEqualTo(first.toRSAPrivateKey());
	}

	@Test
	void hidesTheKeyFromOtherUsersOfTheMachine() throws IOException {
		keys(null, true).load().getFirst();
		assertThat(PosixFilePermissions
			.toString(Files.getPosixFilePermissions(this.directory.resolve("keys/jwt-private.pem"))))
			.isEqualTo("rw-------");
	}

	@Test
	void usesTheConfiguredKey() throws Exception {
		var made = keys(null, true).load().getFirst();
		Resource pem = new FileSystemResource(this.directory.resolve("keys/jwt-private.pem"));
		assertThat(keys(pem, false).load().getFirst().toRSAPrivateKey()).isEqualTo(made.toRSAPrivateKey());
	}

	@Test
	void explainsWhatToDoWhenSeveralServersNeedTheSameKey() {
		assertThatThrownBy(() -> keys(null, false).load().getFirst()).isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("chat.security.jwt.private-key")
			.hasMessageContaining("openssl genpkey");
		assertThat(this.directory.resolve("keys")).doesNotExist();
	}

	@Test
	void refusesAnInvalidKey() {
		assertThatThrownBy(() -> keys(new ByteArrayResource("nonsense".getBytes()), true).load().getFirst())
			.isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("openssl genpkey");
		assertThatThrownBy(
				() -> keys(new FileSystemResource(this.directory.resolve("none.pem")), true).load().getFirst())
			.isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("none.pem");
	}

	private JwtKeys keys(Resource privateKey, boolean mayGenerate) {
		return new JwtKeys(
				new JwtProperties(privateKey, this.directory.resolve("keys"), "parley", Duration.ofMinutes(1)),
				mayGenerate);
	}

}
