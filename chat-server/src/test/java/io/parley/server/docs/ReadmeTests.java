package io.parley.server.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReadmeTests {

	private static final Document README = Document.read("README.md");

	private static final Pattern COMMAND = Pattern.compile("\\./chat ([a-z-]+)");

	private static final Pattern HELP = Pattern.compile("(?m)^  ([a-z-]+) ");

	@Test
	void showsTheFirstCommandEarly() {
		assertThat(README.lines().subList(0, 30)).anyMatch((line) -> line.contains("./chat run"));
	}

	@Test
	void staysShort() {
		assertThat(README.lines()).hasSizeLessThanOrEqualTo(120);
	}

	@Test
	void linksToFilesThatExist() {
		assertThat(README.linkedFiles()).isNotEmpty().allSatisfy((file) -> assertThat(file).exists());
	}

	@Test
	void namesOnlyCommandsThatExist() throws IOException {
		Set<String> commands = matches(HELP, help());
		assertThat(matches(COMMAND, String.join("\n", README.lines()))).isNotEmpty().isSubsetOf(commands);
	}

	private static Set<String> matches(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((match) -> match.group(1)).collect(Collectors.toSet());
	}

	private static String help() throws IOException {
		Process process = new ProcessBuilder("bash", Document.ROOT.resolve("chat").toString(), "help")
			.redirectErrorStream(true)
			.start();
		try (InputStream output = process.getInputStream()) {
			return new String(output.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
