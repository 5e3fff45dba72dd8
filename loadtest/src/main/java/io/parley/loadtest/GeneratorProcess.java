package io.parley.loadtest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.local.KitProcess;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A {@link GeneratorCommand} in a process of its own, with the JVM options of this one.
 * It gets its orders by its standard input: everybody may see arguments.
 */
final class GeneratorProcess implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final Duration LONGEST_STOP = Duration.ofSeconds(20);

	private final String name;

	private final Process process;

	private final Writer orders;

	private final Consumer<MeasuresPart> parts;

	private volatile Generator.Heap heap = Generator.Heap.NONE;

	private volatile String said = "nothing: was it killed, or is there too little memory?";

	/** Of the step that it takes now. */
	private CompletableFuture<IdleLoad.Hold> step = new CompletableFuture<>();

	/**
	 * Starts one.
	 * @param parts is told all that it measures
	 * @throws IOException when the system has no room for it
	 */
	GeneratorProcess(String name, Consumer<MeasuresPart> parts) throws IOException {
		this.name = name;
		this.parts = parts;
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(jvmOptions());
		command.addAll(KitProcess.program());
		command.add(GeneratorCommand.NAME);
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.orders = this.process.outputWriter(StandardCharsets.UTF_8);
		Thread.ofPlatform().daemon().name(name).start(this::listen);
	}

	/** Not those of a debugger or a profiler. */
	private static List<String> jvmOptions() {
		return ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((option) -> option.startsWith("-X") && !option.contains("FlightRecord") || option.startsWith("--"))
			.toList();
	}

	/** As {@code generator 1}. */
	String name() {
		return this.name;
	}

	long pid() {
		return this.process.pid();
	}

	/** As its last report says. */
	Generator.Heap heap() {
		return this.heap;
	}

	/** Begins a step; it fails with a sentence when the process ends instead. */
	CompletableFuture<IdleLoad.Hold> begin(String order) {
		CompletableFuture<IdleLoad.Hold> begun = next();
		tell(order);
		return begun;
	}

	/** The end of the process stays the answer to each later step. */
	private synchronized CompletableFuture<IdleLoad.Hold> next() {
		if (!this.step.isCompletedExceptionally()) {
			this.step = new CompletableFuture<>();
		}
		return this.step;
	}

	void tell(String order) {
		try {
			this.orders.write(order + "\n");
			this.orders.flush();
		}
		catch (IOException ex) {
			// It has ended, which the reader of its output finds.
		}
	}

	private void listen() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				heard(line);
			}
			ended("exit code " + this.process.waitFor());
		}
		catch (IOException | InterruptedException ex) {
			ended(ex.toString());
		}
	}

	private void heard(String line) {
		if (!line.startsWith("{")) {
			// What follows the message of a failure in Java is its trace.
			this.said = (line.isBlank() || Character.isWhitespace(line.charAt(0))) ? this.said : line;
			return;
		}
		try {
			GeneratorReport report = JSON.readValue(line, GeneratorReport.class);
			this.heap = report.heap();
			this.parts.accept(report.part());
			if (report.done() != null) {
				done(report.done());
			}
		}
		catch (JacksonException ex) {
			this.said = line;
		}
	}

	private synchronized void done(IdleLoad.Hold hold) {
		this.step.complete(hold);
	}

	private synchronized void ended(String how) {
		if (this.step.isDone()) {
			this.step = new CompletableFuture<>();
		}
		this.step.completeExceptionally(
				new RefusedException("%s ended with %s and said: %s".formatted(this.name, how, this.said)));
	}

	/** Ends it, and waits until it has. */
	@Override
	public void close() {
		try {
			this.orders.close();
		}
		catch (IOException ex) {
			// It has ended.
		}
		try {
			if (!this.process.waitFor(LONGEST_STOP)) {
				this.process.destroyForcibly().waitFor();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
