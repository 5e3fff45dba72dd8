package io.parley.loadtest.idle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.KitProcess;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.MeasuresPart;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A {@link GeneratorCommand} in a separate process, with the JVM options of this one. It
 * receives its plan and its orders over standard input, because all users of the machine
 * can see arguments.
 */
final class GeneratorProcess implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

	private final String name;

	private final Process process;

	private final Writer orders;

	private final Consumer<MeasuresPart> parts;

	private volatile Generator.Heap heap = Generator.Heap.NONE;

	private volatile String lastOutput = "nothing. Was it killed, or is there too little memory?";

	/** The result of the current step. */
	private CompletableFuture<IdleLoad.Hold> step = new CompletableFuture<>();

	/**
	 * Starts a process.
	 * @param parts receives all measurements of the process
	 * @throws IOException when the system cannot start the process
	 */
	GeneratorProcess(String name, Consumer<MeasuresPart> parts) throws IOException {
		this.name = name;
		this.parts = parts;
		List<String> command = ChildProcess.java(jvmOptions(), KitProcess.program(), List.of(GeneratorCommand.NAME));
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.orders = this.process.outputWriter(StandardCharsets.UTF_8);
		Thread.ofPlatform().daemon().name(name).start(this::listen);
	}

	/**
	 * Returns the JVM options of this process, without those of a debugger or a profiler.
	 */
	private static List<String> jvmOptions() {
		return ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((option) -> option.startsWith("-X") && !option.contains("FlightRecord") || option.startsWith("--"))
			.toList();
	}

	String name() {
		return this.name;
	}

	long pid() {
		return this.process.pid();
	}

	Generator.Heap heap() {
		return this.heap;
	}

	/**
	 * Starts a step. The future fails with a full sentence if the process ends first.
	 */
	CompletableFuture<IdleLoad.Hold> begin(String order) {
		CompletableFuture<IdleLoad.Hold> begun = next();
		send(order);
		return begun;
	}

	/**
	 * Once the process has ended, all later steps fail with the same cause.
	 */
	private synchronized CompletableFuture<IdleLoad.Hold> next() {
		if (!this.step.isCompletedExceptionally()) {
			this.step = new CompletableFuture<>();
		}
		return this.step;
	}

	void send(String order) {
		try {
			this.orders.write(order + "\n");
			this.orders.flush();
		}
		catch (IOException ex) {
			// The process has ended. The reader of its output handles this.
		}
	}

	private void listen() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				handle(line);
			}
			ended("exit code " + this.process.waitFor());
		}
		catch (IOException | InterruptedException ex) {
			ended(ex.toString());
		}
	}

	private void handle(String line) {
		if (!line.startsWith("{")) {
			// Java prints a stack trace after the message of an exception; keep the
			// message.
			this.lastOutput = (line.isBlank() || Character.isWhitespace(line.charAt(0))) ? this.lastOutput : line;
			return;
		}
		try {
			GeneratorCommand.Report report = JSON.readValue(line, GeneratorCommand.Report.class);
			this.heap = report.heap();
			this.parts.accept(report.part());
			if (report.done() != null) {
				done(report.done());
			}
		}
		catch (JacksonException ex) {
			this.lastOutput = line;
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
				new LoadTestException("%s ended with %s and printed: %s".formatted(this.name, how, this.lastOutput)));
	}

	@Override
	public void close() {
		try {
			this.orders.close();
		}
		catch (IOException ex) {
			// The process has ended.
		}
		try {
			if (!this.process.waitFor(STOP_TIMEOUT)) {
				this.process.destroyForcibly().waitFor();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
