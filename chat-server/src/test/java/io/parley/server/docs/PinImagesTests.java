package io.parley.server.docs;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/** Tests {@code scripts/pin-images.sh} with a Docker engine and a registry. */
@EnabledIfDockerAvailable
@Tag("slow")
class PinImagesTests {

	@TempDir
	private Path directory;

	private ImageRegistry registry;

	private Path settings;

	private String chat;

	private String store;

	@BeforeEach
	void start() throws Exception {
		this.registry = new ImageRegistry();
		this.chat = this.registry.image("pinned/chat:1.0");
		this.store = this.registry.image("pinned/store:2.0");
		this.settings = Files.writeString(this.directory.resolve("settings"),
				"CHAT_PORT=8080\nCHAT_IMAGE=" + this.chat + "\nSTORE_IMAGE=" + this.store + "\n");
	}

	@AfterEach
	void stop() throws Exception {
		// By repository: an image without a tag has digests only.
		Shell.bash("docker images -q --no-trunc '" + this.registry.image("pinned/*")
				+ "' | sort -u | xargs -r docker rmi -f");
		this.registry.close();
	}

	/**
	 * An engine that has pulled the same content before under other digests knows all of
	 * them.
	 */
	@Test
	void pinsTheDigestsThatTheRegistryHasNow() throws Exception {
		String other = this.registry.publish("pinned/store", "2.0", "somebody else");
		for (String publisher : new String[] { "one", "two", "three", "two", "one" }) {
			String digest = this.registry.publish("pinned/chat", "1.0", publisher);
			pin("");
			assertThat(Files.readString(this.settings)).isEqualTo("CHAT_PORT=8080\nCHAT_IMAGE=" + this.chat + "@"
					+ digest + "\nSTORE_IMAGE=" + this.store + "@" + other + "\n");
		}
		assertThat(pin("--check")).contains("all images have a digest");
	}

	@Test
	void aPinnedImageStaysTheSameWhenAnotherOneIsPublished() throws Exception {
		this.registry.publish("pinned/store", "2.0", "somebody else");
		String digest = this.registry.publish("pinned/chat", "1.0", "one");
		pin("");
		this.registry.publish("pinned/chat", "1.0", "an attacker");
		assertThat(Shell.bash("docker pull " + this.chat + "@" + digest)).contains("Digest: " + digest);
	}

	@Test
	void changesNothingWhenARegistryDoesNotAnswerForOne() throws Exception {
		this.registry.publish("pinned/chat", "1.0", "one");
		String before = Files.readString(this.settings);
		assertThatIOException().isThrownBy(() -> pin(""))
			.withMessageContaining("no registry has told the digest of " + this.store);
		assertThat(Files.readString(this.settings)).isEqualTo(before);
		assertThatIOException().isThrownBy(() -> pin("--check")).withMessageContaining("these images have no digest");
	}

	@Test
	void removesTheDigests() throws Exception {
		String before = Files.readString(this.settings);
		this.registry.publish("pinned/chat", "1.0", "one");
		this.registry.publish("pinned/store", "2.0", "one");
		pin("");
		pin("--unpin");
		assertThat(Files.readString(this.settings)).isEqualTo(before);
	}

	private String pin(String option) throws Exception {
		return Shell.bash("ENV_FILE=" + this.settings + " scripts/pin-images.sh " + option);
	}

}
