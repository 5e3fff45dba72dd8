package io.parley.loadtest.local;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.local.ChildProcess.Ending;
import io.parley.loadtest.report.Jcmd;

/**
 * A command of this load kit in a separate process. It prints {@link #READY} on its
 * console when it accepts connections. It ends when its standard input does, so it cannot
 * outlive the process that started it.
 */
public final class KitProcess extends ChildProcess {

	/** The line that a command prints when it is ready. */
	public static final String READY = "ready";

	/**
	 * By its name, because it depends on all commands, and some of them start processes.
	 */
	private static final String MAIN_CLASS = "io.parley.loadtest.LoadTest";

	private KitProcess(String name, List<String> command) {
		super(name, folder(), command, Ending.INPUT);
	}

	/**
	 * Starts a command with the heap and collector of {@link LocalServer}, and waits
	 * until it is ready.
	 * @param name for messages and reports, such as {@code socket server}
	 * @throws LoadTestException when the process ends before it is ready, with the end of
	 * its output
	 */
	public static KitProcess start(String name, String... arguments) {
		List<String> options = new ArrayList<>(JVM);
		options.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-Djava.rmi.server.hostname=127.0.0.1"));
		KitProcess started = new KitProcess(name, java(options, program(), List.of(arguments)));
		started.await(started::isReady, new Jcmd(started.pid()));
		return started;
	}

	private boolean isReady() {
		try (Stream<String> lines = Files.lines(log())) {
			return lines.anyMatch(READY::equals);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Prints that this process is ready, and returns when the parent process closes the
	 * input or has ended.
	 */
	public static void serve() {
		System.out.println(READY);
		try {
			while (System.in.read() >= 0) {
				continue;
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the arguments that start this load kit again: as a jar when packaged (it
	 * has a class loader of its own), or from the class path, as in tests.
	 */
	public static List<String> program() {
		String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map((entry) -> Path.of(entry).toAbsolutePath().toString())
			.collect(Collectors.joining(File.pathSeparator));
		boolean packaged = KitProcess.class.getClassLoader() != ClassLoader.getSystemClassLoader();
		return packaged ? List.of("-jar", classPath) : List.of("-cp", classPath, MAIN_CLASS);
	}

}
