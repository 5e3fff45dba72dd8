package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Subprocess;

/**
 * Queries a JVM of this user with {@code jcmd}. Each query costs the start of another
 * JVM.
 */
public record Jcmd(long pid) implements HeapSource {

	private static final Pattern USED = Pattern.compile("(?<=[, ]used )\\d+[KMG]|\\d+[KMG](?= used)");

	private static final Pattern MOST = Pattern.compile("-XX:MaxHeapSize=(\\d+)");

	public void collect() {
		ask("GC.run");
	}

	/**
	 * Returns the used bytes of its heap, including garbage.
	 */
	public long usedHeap() {
		return usedHeap(ask("GC.heap_info"));
	}

	@Override
	public double usedBytes() {
		try {
			return usedHeap();
		}
		catch (LoadTestException ex) {
			// The process is just ending, or is not a JVM of this user.
			return Double.NaN;
		}
	}

	@Override
	public int everySeconds() {
		return 10;
	}

	/**
	 * Returns the maximum heap size in bytes; 0 when it is not reported.
	 */
	public long maxHeap() {
		Matcher most = MOST.matcher(ask("VM.flags"));
		return most.find() ? Long.parseLong(most.group(1)) : 0;
	}

	/**
	 * Adds up the generations of the heap, without metaspace.
	 */
	public static long usedHeap(String heapInfo) {
		Matcher used = USED.matcher(heapInfo.split("Metaspace", 2)[0]);
		long bytes = 0;
		while (used.find()) {
			String figure = used.group();
			int last = figure.length() - 1;
			bytes += Long.parseLong(figure.substring(0, last)) << (10 * ("KMG".indexOf(figure.charAt(last)) + 1));
		}
		return bytes;
	}

	private String ask(String question) {
		Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
		try {
			Subprocess answer = Subprocess.run(Path.of(""), jcmd.toString(), Long.toString(this.pid), question);
			if (answer.exitCode() != 0) {
				throw new LoadTestException("Cannot query process %d: is it a JVM of this user? %s printed: %s"
					.formatted(this.pid, jcmd, answer.output()));
			}
			return answer.output();
		}
		catch (IOException ex) {
			throw new LoadTestException("Cannot run %s, which is part of a JDK: %s".formatted(jcmd, ex.getMessage()));
		}
	}

}
