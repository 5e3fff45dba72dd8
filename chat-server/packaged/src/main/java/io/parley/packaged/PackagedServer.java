package io.parley.packaged;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The finished chat-server, unpacked and with a cache of what the JVM learned in an
 * earlier run: it starts in a quarter of the time that the jar needs. Both are made by
 * the first test that asks after a build, and lie beside the jar.
 */
public final class PackagedServer {

	/**
	 * Options of the JVM for a quick start. The cache was made with them, and others may
	 * not use it.
	 */
	public static final List<String> QUICK_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"--enable-native-access=ALL-UNNAMED");

	private static final String JAR = "chat-server/target/chat-server.jar";

	private static @Nullable PackagedServer instance;

	private final Path folder;

	private PackagedServer(Path folder) {
		this.folder = folder;
	}

	/**
	 * Finds the server, and prepares it when no other test has done so since the build.
	 */
	public static synchronized PackagedServer get() {
		if (instance == null) {
			try {
				instance = prepare(jar());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return instance;
	}

	/** The jar that users start. */
	public static Path jar() {
		return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
			.map((parent) -> parent.resolve(JAR))
			.filter(Files::exists)
			.findFirst()
			.orElseThrow(
					() -> new IllegalStateException(JAR + " is missing; run 'mvn -pl chat-server -am package' first"));
	}

	/** The folder of the unpacked server: its jar and, in {@code lib}, what it needs. */
	public Path folder() {
		return this.folder.resolve("app");
	}

	/** The jar of the unpacked server. */
	public Path unpackedJar() {
		return folder().resolve("chat-server.jar");
	}

	/**
	 * Options for JVMs that start {@link #unpackedJar}: compact object headers, without
	 * which the JVM ignores the cache, and the cache when there is one. A start without
	 * it takes longer. Temporary files are where those of the tests are. The serial and
	 * the parallel collector can use it.
	 */
	public List<String> options() {
		List<String> options = new ArrayList<>(
				List.of("-XX:+UseCompactObjectHeaders", "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
		if (Files.exists(cache())) {
			options.add("-XX:AOTCache=" + cache());
		}
		return options;
	}

	/** The words that start the server with options of the JVM. */
	public List<String> command(List<String> jvmOptions) {
		List<String> command = new ArrayList<>(List.of(java()));
		command.addAll(jvmOptions);
		command.addAll(options());
		command.addAll(List.of("-jar", unpackedJar().toString()));
		return command;
	}

	private Path cache() {
		return this.folder.resolve("app.aot");
	}

	private static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	/** Test runs of several modules may come here at once. */
	private static PackagedServer prepare(Path jar) throws IOException, InterruptedException {
		Path target = jar.resolve("..").normalize();
		String key = Integer.toHexString(Objects.hash(Files.size(jar), Files.getLastModifiedTime(jar).toMillis(),
				System.getProperty("java.home"), System.getProperty("java.vm.version")));
		PackagedServer server = new PackagedServer(target.resolve("unpacked-" + key));
		Path prepared = server.folder.resolve("prepared");
		try (FileChannel file = FileChannel.open(target.resolve("unpacked.lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE); FileLock lock = file.lock()) {
			if (lock.isValid() && !Files.exists(prepared)) {
				deleteOthers(target);
				server.prepareQuickStart(jar);
				Files.createFile(prepared);
			}
		}
		return server;
	}

	private static void deleteOthers(Path target) throws IOException {
		try (DirectoryStream<Path> all = Files.newDirectoryStream(target, "unpacked-*")) {
			for (Path one : all) {
				delete(one);
			}
		}
	}

	/**
	 * Does the same as {@code ./chat run}. Without a cache each start only takes longer.
	 */
	private void prepareQuickStart(Path jar) throws IOException, InterruptedException {
		Path script = jar.resolve("../../../scripts/QuickStart.java").normalize();
		List<String> command = new ArrayList<>(
				List.of(java(), script.toString(), jar.toString(), this.folder.toString(), "0"));
		command.addAll(QUICK_OPTIONS);
		command.add("-XX:+UseCompactObjectHeaders");
		Process process = new ProcessBuilder(command).inheritIO().start();
		if (process.waitFor() != 0) {
			System.out.println("No cache for quick starts of the server, see above and " + this.folder);
		}
		if (!Files.exists(unpackedJar())) {
			throw new IOException(jar + " cannot be unpacked, see above");
		}
	}

	private static void delete(Path folder) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
	}

}
