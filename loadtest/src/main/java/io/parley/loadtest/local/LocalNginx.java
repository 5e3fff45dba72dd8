package io.parley.loadtest.local;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.parley.loadtest.cli.RefusedException;

/**
 * The nginx of this machine in front of one server, with the configuration of this
 * checkout, on a free port. Closing it ends it; so does the end of this JVM.
 */
public final class LocalNginx implements AutoCloseable {

	private static final Duration LONGEST_START = Duration.ofSeconds(20);

	private static final Pattern VERSION = Pattern.compile("nginx/(\\d+)\\.(\\d+)\\.(\\d+)");

	/** The first whole version in which an upstream may say "resolve". */
	private static final int NEEDED = 1_027_003;

	private final Thread cleaner = new Thread(this::end);

	private final Path folder;

	private final Process process;

	private final int port;

	private LocalNginx(Path nginx, Path folder, Path configuration, int port) {
		this.folder = folder;
		this.port = port;
		try {
			this.process = new ProcessBuilder(nginx.toString(), "-p", folder.toString(), "-e", folder + "/error.log",
					"-c", configuration.toString(), "-g", "daemon off;")
				.redirectErrorStream(true)
				.redirectOutput(log().toFile())
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Runtime.getRuntime().addShutdownHook(this.cleaner);
	}

	/**
	 * Starts nginx and waits until it listens.
	 * @param checkout the root of the checkout, with the folder {@code nginx}
	 * @param server what it forwards to
	 * @throws RefusedException when there is no nginx, or it does not start
	 */
	public static LocalNginx start(Path checkout, URI server) {
		Path nginx = find();
		try {
			Path folder = Files.createTempDirectory("parley-nginx-");
			int port = LocalServer.freePort();
			Path configuration = NginxConfiguration.write(checkout.resolve("nginx"), folder, "127.0.0.1:" + port,
					server.getAuthority());
			LocalNginx started = new LocalNginx(nginx, folder, configuration, port);
			started.awaitListening();
			return started;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Looks for the program, which is quicker than a start that fails.
	 * @throws RefusedException when there is none that can be used
	 */
	public static void requireInstalled() {
		find();
	}

	/** Where clients connect to. */
	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	private Path log() {
		return this.folder.resolve("nginx.log");
	}

	/** The program, new enough for the configuration. */
	private static Path find() {
		List<Path> places = new ArrayList<>();
		String named = System.getenv("PARLEY_NGINX");
		if (named != null) {
			places.add(Path.of(named));
		}
		for (String place : (System.getenv("PATH") + File.pathSeparator + "/usr/sbin" + File.pathSeparator
				+ "/usr/local/sbin")
			.split(File.pathSeparator)) {
			places.add(Path.of(place, "nginx"));
		}
		Path nginx = places.stream()
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new RefusedException("--through nginx needs nginx 1.27.3 or newer, and there is none:"
					+ " install it from the packages of nginx.org, or set PARLEY_NGINX to its path."));
		String version = version(nginx);
		if (number(version) < NEEDED) {
			throw new RefusedException(
					"--through nginx needs nginx 1.27.3 or newer, %s says \"%s\": install a newer one,".formatted(nginx,
							version.strip()) + " or set PARLEY_NGINX to its path.");
		}
		return nginx;
	}

	static int number(String version) {
		Matcher found = VERSION.matcher(version);
		return found.find() ? Integer.parseInt(found.group(1)) * 1_000_000 + Integer.parseInt(found.group(2)) * 1000
				+ Integer.parseInt(found.group(3)) : 0;
	}

	private static String version(Path nginx) {
		try {
			Process asked = new ProcessBuilder(nginx.toString(), "-v").redirectErrorStream(true).start();
			return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new RefusedException("%s cannot be run: %s".formatted(nginx, ex.getMessage()));
		}
	}

	private void awaitListening() throws IOException {
		long end = System.nanoTime() + LONGEST_START.toNanos();
		try {
			while (!isListening()) {
				if (!this.process.isAlive() || System.nanoTime() - end > 0) {
					String said = Files.readString(log());
					close();
					throw new RefusedException("nginx did not start: " + said.strip());
				}
				TimeUnit.MILLISECONDS.sleep(50);
			}
		}
		catch (InterruptedException ex) {
			close();
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

	private boolean isListening() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", this.port), 1000);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		Runtime.getRuntime().removeShutdownHook(this.cleaner);
		end();
	}

	private void end() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(LONGEST_START)) {
				this.process.destroyForcibly().waitFor();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
		try (Stream<Path> files = Files.walk(this.folder)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
