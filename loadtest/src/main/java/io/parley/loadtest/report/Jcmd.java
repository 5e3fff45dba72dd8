package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.RefusedException;

/** Asks a JVM of this user. Each question costs the start of another JVM. */
public final class Jcmd implements HeapSource {

	private static final Pattern USED = Pattern.compile("(?<=[, ]used )\\d+[KMG]|\\d+[KMG](?= used)");

	private static final Pattern MOST = Pattern.compile("-XX:MaxHeapSize=(\\d+)");

	private final long pid;

	/** Of the process with this id. */
	public Jcmd(long pid) {
		this.pid = pid;
	}

	/** Makes it collect its garbage. */
	public void collect() {
		ask("GC.run");
	}

	/** Bytes of its heap that are in use, garbage included. */
	public long usedHeap() {
		return usedHeap(ask("GC.heap_info"));
	}

	@Override
	public double usedBytes() {
		try {
			return usedHeap();
		}
		catch (RefusedException ex) {
			// It ends just now, or is no JVM of this user.
			return Double.NaN;
		}
	}

	@Override
	public int everySeconds() {
		return 10;
	}

	/** How many bytes its heap may have; 0 when it does not tell. */
	public long mostHeap() {
		Matcher most = MOST.matcher(ask("VM.flags"));
		return most.find() ? Long.parseLong(most.group(1)) : 0;
	}

	/** Adds up the generations of a heap; metaspace is not heap. */
	static long usedHeap(String heapInfo) {
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
				throw new RefusedException("Cannot look at process %d, is it a JVM of this user? %s said: %s"
					.formatted(this.pid, jcmd, answer.strip()));
			}
			return answer;
		}
		catch (IOException ex) {
			throw new RefusedException("%s cannot be run, it comes with a JDK: %s".formatted(jcmd, ex.getMessage()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

}
