package io.parley.jmeter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.apache.jmeter.save.CSVSaveService;

/**
 * The samples of JMeter's results file.
 *
 * @param labels the steps in the order of their first sample
 * @param failures the number of failed samples for each reason
 */
record Samples(Set<String> labels, Map<String, Integer> failures) {

	static Samples read(Path jtl) {
		Samples samples = new Samples(new LinkedHashSet<>(), new TreeMap<>());
		try (BufferedReader reader = Files.newBufferedReader(jtl)) {
			List<String> head = List.of(CSVSaveService.csvReadFile(reader, ','));
			for (String[] row = next(reader); row.length > 0; row = next(reader)) {
				// The last line may be incomplete when a run was interrupted.
				if (row.length == head.size()) {
					samples.add(row[head.indexOf("label")], Boolean.parseBoolean(row[head.indexOf("success")]),
							row[head.indexOf("failureMessage")], row[head.indexOf("responseMessage")]);
				}
			}
			return samples;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void add(String label, boolean success, String assertion, String response) {
		this.labels.add(label);
		if (!success) {
			String reason = assertion.isEmpty() ? response : assertion;
			this.failures.merge(label + ": " + reason.lines().findFirst().orElse(""), 1, Integer::sum);
		}
	}

	private static String[] next(BufferedReader reader) throws IOException {
		return CSVSaveService.csvReadFile(reader, ',');
	}

}
