package io.parley.conformance.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Each message that docs/api/asyncapi.json declares, and each operation of
 * docs/api/openapi.json, occurred in the tests. Runs after a whole run with broker mode
 * {@code simple}, in a JVM of its own: the profile {@code contract-coverage} of the POM.
 */
class ContractCoverage {

	@Test
	void eachMessageOccurred() throws IOException {
		Path notes = DocumentedContract.notes();
		assumeThat(notes).as("the name of a run").isNotNull();
		Set<String> missing = new FrameContract(new Schemas()).declared();
		missing.addAll(new AnswerContract(new Schemas()).declared());
		missing.removeAll(seen(notes));
		assertThat(missing).as("declared in docs/api, but in no test").isEmpty();
	}

	private static Set<String> seen(Path notes) throws IOException {
		Set<String> seen = new TreeSet<>();
		try (Stream<Path> files = Files.list(notes)) {
			for (Path file : files.toList()) {
				seen.addAll(Files.readAllLines(file));
			}
		}
		return seen;
	}

}
