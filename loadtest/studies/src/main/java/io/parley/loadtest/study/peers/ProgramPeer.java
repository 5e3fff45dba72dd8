package io.parley.loadtest.study.peers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Subprocess;
import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.report.HeapSource;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A server that is a program of this machine with one configuration file.
 */
abstract class ProgramPeer implements Peer {

	private final String name;

	/**
	 * Creates a peer.
	 * @param name begins with the name of the option for the program, before a slash
	 */
	ProgramPeer(String name) {
		this.name = name;
	}

	/**
	 * Returns the name of the program, or its path.
	 * @throws LoadTestException when the program lacks something that is not a program
	 */
	abstract String program(PeersCommand options);

	/**
	 * Returns how to get the program.
	 */
	abstract String installation();

	/**
	 * Returns how to use it when it is not found.
	 */
	String option() {
		return "or give its path with --%s PATH".formatted(this.name.split("/")[0]);
	}

	/**
	 * Returns the arguments with which it prints its version.
	 */
	List<String> versionArguments() {
		return List.of("--version");
	}

	/**
	 * Returns the version of the server.
	 * @param path of the program
	 */
	String version(PeersCommand options, String path) {
		return output(Stream.concat(Stream.of(path), versionArguments().stream()));
	}

	/**
	 * Prepares the start: writes other files, or starts other processes.
	 * @param folder the working directory of the program
	 * @param open gets what must be closed after the program
	 * @return the variables of its environment
	 */
	Map<String, String> prepare(PeersCommand options, Path folder, Resources open) {
		return Map.of();
	}

	abstract List<String> arguments(String configurationFile);

	/**
	 * Returns the content of the configuration file.
	 * @param port for WebSocket on 127.0.0.1
	 * @param spare another free port
	 */
	abstract String configuration(int port, int spare);

	/**
	 * Returns the name of the configuration file. Some servers decide by it how to read
	 * the file.
	 */
	abstract String configurationFile();

	/**
	 * Returns the path of the WebSocket endpoint.
	 */
	abstract String path();

	abstract @Nullable String subprotocol();

	/**
	 * Returns the protocol of a session.
	 * @param room the name of its room
	 */
	abstract Wire wire(Link link, int session, String room);

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public final PeerServer start(PeersCommand options, Resources open) {
		String program = find(program(options));
		Path folder = ChildProcess.folder();
		int port = ChildProcess.freePort();
		String configuration = configuration(port, ChildProcess.freePort());
		Path file = folder.resolve(configurationFile());
		List<String> command = Stream.concat(Stream.of(program), arguments(file.toString()).stream()).toList();
		write(file, configuration);
		Map<String, String> environment = prepare(options, folder, open);
		ChildProcess process = open
			.add(new ChildProcess(this.name, folder, command, environment, ChildProcess.Ending.SIGNAL));
		process.await(() -> LocalServer.listens(port), HeapSource.NONE);
		String shown = (Path.of(program).getFileName() + " " + String.join(" ", arguments(configurationFile())))
			.strip();
		return new PeerServer(URI.create("ws://127.0.0.1:" + port + path()), subprotocol(), process.pid(),
				new PeerServer.Start(version(options, program), shown, oneLine(configuration)),
				(session, link) -> wire(link, session, "room" + session % options.rooms));
	}

	/**
	 * Finds a program by its path or on PATH.
	 * @throws LoadTestException with what to do when there is none
	 */
	final String find(String program) {
		boolean isPath = program.contains(File.separator);
		String folders = isPath ? ""
				: Objects.requireNonNullElse(System.getenv("PATH"), "") + File.pathSeparator + "/usr/sbin";
		return Stream.of(folders.split(File.pathSeparator))
			.map((folder) -> Path.of(folder).resolve(program).toAbsolutePath())
			.filter(Files::isRegularFile)
			.filter(Files::isExecutable)
			.map(Path::toString)
			.findFirst()
			.orElseThrow(() -> missing("program " + program));
	}

	/**
	 * Returns the failure when something is missing, with what to do.
	 */
	final LoadTestException missing(String what) {
		return new LoadTestException("there is no %s: %s, %s.".formatted(what, installation(), option()));
	}

	/**
	 * Returns the first line that a command prints.
	 */
	static String output(Stream<String> command) {
		try {
			return Subprocess.run(Path.of(""), command.toArray(String[]::new)).output().lines().findFirst().orElse("");
		}
		catch (IOException ex) {
			return "";
		}
	}

	static void write(Path file, String content) {
		try {
			Files.writeString(file, content);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String oneLine(String configuration) {
		return String.join("; ", configuration.lines().map(String::strip).toList());
	}

}
