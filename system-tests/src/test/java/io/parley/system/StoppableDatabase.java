package io.parley.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

import io.parley.log.FreePorts;
import io.parley.packaged.PackagedServer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A database server as a child process, which a test can kill and start again. */
final class StoppableDatabase {

	/**
	 * For the chat server. Its pool tests each connection before use, because it does not
	 * know the errors of this driver after a loss.
	 */
	static final String JVM_OPTION = "-Dcom.zaxxer.hikari.aliveBypassWindowMs=0";

	private final int port = FreePorts.next();

	private @Nullable Process process;

	/** Returns the argument with which a chat server uses it. */
	String setting() {
		return "--spring.datasource.url=" + url();
	}

	private String url() {
		return "jdbc:h2:tcp://127.0.0.1:" + this.port + "/./parley;WRITE_DELAY=0";
	}

	/** Opens another connection, with the driver that comes with the server. */
	Connection connect() throws Exception {
		Properties user = new Properties();
		user.setProperty("user", "sa");
		user.setProperty("password", "");
		// Not closed: the connection loads classes as long as it is open.
		ClassLoader driver = new URLClassLoader(new URL[] { library().toUri().toURL() });
		return ((Driver) driver.loadClass("org.h2.Driver").getConstructor().newInstance()).connect(url(), user);
	}

	/** Starts it with the data in this directory, and waits until it listens. */
	void start(Path directory) throws IOException {
		Process started = new ProcessBuilder(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx128m", "-cp",
				library().toString(), "org.h2.tools.Server", "-tcp", "-tcpPort", String.valueOf(this.port), "-baseDir",
				directory.toString(), "-ifNotExists"))
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("database.log").toFile())
			.start();
		// An aborted test run leaves no database behind.
		Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
		this.process = started;
		Awaitility.await("the database to listen").until(this::listens);
	}

	private boolean listens() {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** The database that comes with the server. */
	private static Path library() throws IOException {
		try (Stream<Path> libraries = Files.list(PackagedServer.get().folder().resolve("lib"))) {
			return libraries.filter((file) -> file.getFileName().toString().startsWith("h2-"))
				.findFirst()
				.orElseThrow();
		}
	}

	/** Kills it, unless it does not run. */
	void kill() throws InterruptedException {
		if (this.process != null) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
