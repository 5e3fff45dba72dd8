package io.parley.loadtest.local;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.report.HeapSource;
import io.parley.loadtest.report.ProcessSampler;

/**
 * A container of an image that Compose uses as well. Closing it, or the end of this JVM,
 * removes the container.
 */
public final class Container extends ClosedAtExit {

	private final String id;

	private volatile Runnable unwatch = () -> {
	};

	private Container(String id) {
		this.id = id;
		closeAtExit();
	}

	/**
	 * Creates a container without starting it.
	 * @param image the variable of {@code .env} that names the image
	 * @param options of {@code docker create}
	 * @throws LoadTestException when there is no Docker or no image
	 */
	public static Container create(String image, String... options) {
		requireDocker();
		String name = imageName(image);
		if (!Shell.succeeds("docker", "image", "inspect", name)) {
			System.out.println("Pulling the image " + name);
			Shell.run(Checkout.home().resolve("scripts/local-images.sh").toString(), name);
		}
		List<String> command = new ArrayList<>(List.of("docker", "create", "--label", "parley.loadtest"));
		command.addAll(Arrays.asList(options));
		command.add(name);
		return new Container(Shell.run(command.toArray(String[]::new)));
	}

	static void requireDocker() {
		if (!Shell.succeeds("docker", "info")) {
			throw new LoadTestException("Docker is not available");
		}
	}

	private static String imageName(String variable) {
		Properties env = new Properties();
		try (Reader file = Files.newBufferedReader(Checkout.home().resolve(".env"))) {
			env.load(file);
		}
		catch (IOException ex) {
			throw new LoadTestException("The file .env of the checkout cannot be read: " + ex.getMessage());
		}
		String name = env.getProperty(variable);
		if (name == null) {
			throw new LoadTestException("The file .env of the checkout names no " + variable);
		}
		return name;
	}

	public String id() {
		return this.id;
	}

	/**
	 * Starts the container and shows its resource use in the report of this run.
	 * @param kind for messages and reports, such as {@code nginx}
	 */
	public void start(String kind) {
		Shell.run("docker", "start", this.id);
		long pid = pid();
		if (pid > 0) {
			this.unwatch = ProcessSampler.started(kind, pid, HeapSource.NONE);
		}
	}

	/**
	 * Returns the process id of the container on the host, as on Linux; 0 when it is not
	 * visible.
	 */
	public long pid() {
		long pid = Long.parseLong(Shell.run("docker", "inspect", "--format", "{{.State.Pid}}", this.id));
		return ProcessHandle.of(pid).isPresent() ? pid : 0;
	}

	@Override
	void end() {
		this.unwatch.run();
		Shell.run("docker", "rm", "--force", "--volumes", this.id);
	}

}
