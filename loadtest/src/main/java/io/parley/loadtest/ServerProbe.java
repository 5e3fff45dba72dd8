package io.parley.loadtest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.ProcessStat;

/** The memory of a JVM on this machine, by {@code /proc} and {@code jcmd}. */
public final class ServerProbe {

	private static final Pattern USED = Pattern.compile("[, ]used (\\d+)([KMG])");

	private static final Pattern MOST = Pattern.compile("-XX:MaxHeapSize=(\\d+)");

	private final long pid;

	/** Of the process with this id. */
	public ServerProbe(long pid) {
		this.pid = pid;
	}

	/** Resident memory in KB; 0 when the system does not tell. */
	long residentKb() {
		ProcessStat process = ProcessStat.read(this.pid);
		return (process != null) ? process.residentBytes() / 1024 : 0;
	}

	/** Live heap in KB: what is left after a full collection, which this triggers. */
	public long liveHeapKb() {
		String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
		run(jcmd, Long.toString(this.pid), "GC.run");
		return usedKb(run(jcmd, Long.toString(this.pid), "GC.heap_info"));
	}

	/** How large its heap may become, in KB. */
	long mostHeapKb() {
		String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
		Matcher most = MOST.matcher(run(jcmd, Long.toString(this.pid), "VM.flags"));
		return most.find() ? Long.parseLong(most.group(1)) / 1024 : 0;
	}

	/** Adds up the generations of a heap; metaspace is not heap. */
	static long usedKb(String heapInfo) {
		Matcher used = USED.matcher(heapInfo.split("Metaspace", 2)[0]);
		long sum = 0;
		while (used.find()) {
			sum += Long.parseLong(used.group(1)) * switch (used.group(2)) {
				case "M" -> 1024;
				case "G" -> 1024 * 1024;
				default -> 1;
			};
		}
		return sum;
	}

	private String run(String... command) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new RefusedException("Cannot look at process %d, is it a JVM of this user? %s said: %s"
					.formatted(this.pid, command[0], output.strip()));
			}
			return output;
		}
		catch (IOException ex) {
			throw new RefusedException(
					"%s cannot be run, it comes with a JDK: %s".formatted(command[0], ex.getMessage()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

}
