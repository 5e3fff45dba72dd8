package io.parley.loadtest.report;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.management.UnixOperatingSystemMXBean;
import io.parley.loadtest.cli.Subprocess;
import io.parley.loadtest.report.RunReport.Fact;
import oshi.SystemInfo;

/**
 * Describes the environment of a run.
 */
public final class Environment {

	static final SystemInfo SYSTEM = new SystemInfo();

	private static final long MIB = 1024 * 1024;

	private Environment() {
	}

	/**
	 * Returns facts about this machine and this JVM. They include neither the host name
	 * nor any path, so a report can be published.
	 */
	public static List<Fact> facts() {
		List<Fact> facts = new ArrayList<>();
		add(facts, "processor", "%s (%s)".formatted(
				SYSTEM.getHardware().getProcessor().getProcessorIdentifier().getName(), System.getProperty("os.arch")));
		add(facts, "cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
		add(facts, "memory", "%,d MiB".formatted(SYSTEM.getHardware().getMemory().getTotal() / MIB));
		add(facts, "kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
		add(facts, "JDK", System.getProperty("java.vm.name") + " " + Runtime.version());
		add(facts, "JVM flags", flags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
		add(facts, "generator heap",
				"%,d MiB at most, %s".formatted(Runtime.getRuntime().maxMemory() / MIB, collectors()));
		if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
			add(facts, "open files", "%,d at most".formatted(unix.getMaxFileDescriptorCount()));
		}
		add(facts, "ephemeral ports", ports(content("/proc/sys/net/ipv4/ip_local_port_range")));
		add(facts, "commit", commit(Path.of(System.getProperty("parley.home", ""))));
		return facts;
	}

	private static void add(List<Fact> facts, String name, String value) {
		if (!value.isEmpty()) {
			facts.add(new Fact(name, value));
		}
	}

	/**
	 * Returns the flags that affect how the JVM runs, without system properties and
	 * paths.
	 */
	static String flags(List<String> arguments) {
		return arguments.stream()
			.filter((flag) -> (flag.startsWith("-X") || flag.startsWith("--")) && !flag.matches(".*[/\\\\].*"))
			.collect(Collectors.joining(" "));
	}

	private static String collectors() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.map(GarbageCollectorMXBean::getName)
			.collect(Collectors.joining(", "));
	}

	private static String ports(String range) {
		String[] ends = range.strip().split("\\s+");
		if (ends.length != 2) {
			return "";
		}
		return "%s to %s (%,d)".formatted(ends[0], ends[1], Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1);
	}

	private static String commit(Path checkout) {
		String commit = git(checkout, "rev-parse", "--short=12", "HEAD");
		boolean changed = !commit.isEmpty() && !git(checkout, "status", "--porcelain", "-uno").isEmpty();
		return changed ? commit + " with changes" : commit;
	}

	private static String git(Path folder, String... arguments) {
		try {
			Subprocess git = Subprocess.run(folder,
					Stream.concat(Stream.of("git"), Stream.of(arguments)).toArray(String[]::new));
			return (git.exitCode() == 0) ? git.output() : "";
		}
		catch (IOException ex) {
			return "";
		}
	}

	private static String content(String file) {
		try {
			return Files.readString(Path.of(file));
		}
		catch (IOException ex) {
			return "";
		}
	}

}
