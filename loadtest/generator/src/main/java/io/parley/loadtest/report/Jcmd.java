package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.RefusedException;

/**
 * Queries a JVM of this user with {@code jcmd}. Each query costs the start of another
 * JVM.
 */
public final class Jcmd implements HeapSource {

	private static final Pattern USED = Pattern.compile("(?<=[, ]used )\\d+[KMG]|\\d+[KMG](?= used)");

	private static final Pattern MOST = Pattern.compile("-XX:MaxHeapSize=(\\d+)");

	private final long pid;

	/**
	 * Creates a client for the process with this id.
	 */
	public Jcmd(long pid) {
		this.pid = pid;
	}

	/**
	 * Triggers a garbage collection.
	 */
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
		catch (RefusedException ex) {
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
		String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
		try {
			Process process = new ProcessBuilder(jcmd, Long.toString(this.pid), question).redirectErrorStream(true)
				.start();
			String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new RefusedException("Cannot query process %d: is it a JVM of this user? %s printed: %s"
					.formatted(this.pid, jcmd, answer.strip()));
			}
			return answer;
		}
		catch (IOException ex) {
			throw new RefusedException("Cannot run %s, which is part of a JDK: %s".formatted(jcmd, ex.getMessage()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

}
