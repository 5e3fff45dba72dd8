package io.parley.loadtest.local;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.HeapSource;

/**
 * The nginx of this machine in front of one server, with the configuration of this
 * checkout, on a free port. Closing it ends it; so does the end of this JVM.
 */
public final class LocalNginx implements AutoCloseable {

	private static final Pattern VERSION = Pattern.compile("nginx/(\\d+)\\.(\\d+)\\.(\\d+)");

	/** The first whole version in which an upstream may say "resolve". */
	private static final int NEEDED = 1_027_003;

	private final ChildProcess process;

	private final int port;

	private LocalNginx(Path nginx, Path folder, Path configuration, int port) {
		this.port = port;
		this.process = new ChildProcess("nginx", folder, List.of(nginx.toString(), "-p", folder.toString(), "-e",
				folder + "/error.log", "-c", configuration.toString(), "-g", "daemon off;"),
				ChildProcess.Ending.SIGNAL);
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
			Path folder = ChildProcess.folder();
			int port = LocalServer.freePort();
			Path configuration = NginxConfiguration.write(checkout.resolve("nginx"), folder, "127.0.0.1:" + port,
					server.getAuthority());
			LocalNginx started = new LocalNginx(nginx, folder, configuration, port);
			started.process.await(() -> LocalServer.listens(port), HeapSource.NONE);
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

	@Override
	public void close() {
		this.process.close();
	}

}
