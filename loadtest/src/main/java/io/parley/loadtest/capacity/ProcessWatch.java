package io.parley.loadtest.capacity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process on this machine, as its system shows it. What the system does not show is 0.
 */
public final class ProcessWatch {

	private static final Pattern MOST_FILES = Pattern.compile("(?m)^Max open files\\s+(\\d+)");

	private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");

	private final long pid;

	/** Watches that process. */
	public ProcessWatch(long pid) {
		this.pid = pid;
	}

	/** Whether it still runs. */
	public boolean isAlive() {
		return ProcessHandle.of(this.pid).map(ProcessHandle::isAlive).orElse(false);
	}

	/** The processor time of all its threads so far, in nanoseconds. */
	public long cpuNanos() {
		return ProcessHandle.of(this.pid)
			.flatMap((process) -> process.info().totalCpuDuration())
			.map(Duration::toNanos)
			.orElse(0L);
	}

	/** Files and sockets that it has open. */
	public long openFiles() {
		try (Stream<Path> files = Files.list(folder().resolve("fd"))) {
			return files.count();
		}
		catch (IOException ex) {
			return 0;
		}
	}

	/** Files and sockets that it may have open. */
	public long mostOpenFiles() {
		return number("limits", MOST_FILES);
	}

	/** Its memory, in KB. */
	public long residentKb() {
		return number("status", RESIDENT);
	}

	private long number(String file, Pattern pattern) {
		try {
			Matcher found = pattern.matcher(Files.readString(folder().resolve(file)));
			return found.find() ? Long.parseLong(found.group(1)) : 0;
		}
		catch (IOException ex) {
			return 0;
		}
	}

	private Path folder() {
		return Path.of("/proc", Long.toString(this.pid));
	}

}
