package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * State of a process in {@code /proc} at one moment.
 *
 * @param started start time in ticks since the boot, because a pid can be reused
 * @param cpuSeconds processor time since the start, of all threads
 */
public record ProcessStat(long started, double cpuSeconds, long residentBytes, int threads, long openFiles) {

	/**
	 * Linux reports times to programs in hundredths of a second, independent of its
	 * internal clock.
	 */
	private static final double TICKS_PER_SECOND = 100;

	private static final String OPEN_FILES_LIMIT = "Max open files";

	/**
	 * Reads the state of a process.
	 * @return null when there is no such process, or no {@code /proc}
	 */
	public static @Nullable ProcessStat read(long pid) {
		Path folder = Path.of("/proc", Long.toString(pid));
		try {
			String stat = Files.readString(folder.resolve("stat"));
			// The process name comes first, in parentheses, and may contain any
			// character.
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
			boolean ended = "Z".equals(fields[0]) || "X".equals(fields[0]);
			return ended ? null
					: new ProcessStat(Long.parseLong(fields[19]),
							(Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND,
							resident(folder), Integer.parseInt(fields[17]), openFiles(folder.resolve("fd")));
		}
		catch (IOException ex) {
			return null;
		}
	}

	/**
	 * Reads the combined state of a process and its children. Children that have ended
	 * are not included.
	 */
	static @Nullable ProcessStat readAll(long pid) {
		ProcessStat all = read(pid);
		if (all == null) {
			return null;
		}
		for (ProcessHandle child : ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).toList()) {
			ProcessStat one = read(child.pid());
			all = (one != null) ? all.with(one) : all;
		}
		return all;
	}

	private ProcessStat with(ProcessStat child) {
		return new ProcessStat(this.started, this.cpuSeconds + child.cpuSeconds,
				this.residentBytes + child.residentBytes, this.threads + child.threads,
				this.openFiles + child.openFiles);
	}

	/**
	 * Returns the limit of open files; 0 when it is unknown.
	 */
	public static long maxOpenFiles(long pid) {
		try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "limits"))) {
			return lines.filter((line) -> line.startsWith(OPEN_FILES_LIMIT))
				.map((line) -> line.substring(OPEN_FILES_LIMIT.length()).strip().split(" ")[0])
				.filter((limit) -> !limit.equals("unlimited"))
				.mapToLong(Long::parseLong)
				.findFirst()
				.orElse(0);
		}
		catch (IOException ex) {
			return 0;
		}
	}

	private static long resident(Path folder) throws IOException {
		try (Stream<String> lines = Files.lines(folder.resolve("status"))) {
			return lines.filter((line) -> line.startsWith("VmRSS:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
				.findFirst()
				.orElse(0);
		}
	}

	/**
	 * Since Linux 6.2 the size of the folder is the number of entries; earlier versions
	 * need a count.
	 */
	private static long openFiles(Path folder) {
		try {
			long size = Files.size(folder);
			String @Nullable [] names = (size > 0) ? null : folder.toFile().list();
			return (names != null) ? names.length : size;
		}
		catch (IOException ex) {
			return 0;
		}
	}

}
