package io.parley.jmeter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest jmeter}. The exit code is 0 when every step of every user
 * succeeded, 1 when a step failed or the run could not start, 2 when the arguments are
 * wrong.
 */
@Command(name = "./chat loadtest jmeter",
		description = "Runs a plan of JMeter, which need not be installed, and writes JMeter's report.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class JmeterCommand implements Callable<Integer> {

	private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

	private static final int MAX_FAILURES = 10;

	@Mixin
	private final JmeterOptions options = new JmeterOptions();

	/**
	 * Runs the command and ends the JVM with its exit code.
	 */
	public static void main(String[] args) {
		System.exit(commandLine().execute(args));
	}

	static CommandLine commandLine() {
		CommandLine commandLine = new CommandLine(new JmeterCommand());
		commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
			if (!(failure instanceof RefusedException)) {
				throw failure;
			}
			command.getErr().println("loadtest: " + failure.getMessage());
			return CommandLine.ExitCode.SOFTWARE;
		});
		return commandLine;
	}

	@Override
	public Integer call() throws IOException {
		this.options.check();
		checkTarget();
		Path plan = plan();
		List<String> lines = users();
		if (this.options.csv != null) {
			Files.write(this.options.csv, lines);
			System.out.printf("%s holds %,d users. Open %s in JMeter with -Jhost=%s -Jport=%d -Jtokens=%s%s%n",
					this.options.csv, lines.size(), plan, this.options.url.getHost(), this.options.port(),
					this.options.csv.toAbsolutePath(), this.options.plain ? " -Jreceipts=false" : "");
			return 0;
		}
		Path tokens = Files.createTempFile("parley-users-", ".csv");
		try {
			Files.write(tokens, lines);
			return run(plan, tokens);
		}
		finally {
			Files.delete(tokens);
		}
	}

	private int run(Path plan, Path tokens) {
		String name = plan.getFileName().toString().replace(".jmx", "");
		String folder = "jmeter-%s-%s".formatted(name, LocalDateTime.now().format(SECOND));
		Path report = this.options.report.resolve(folder);
		System.out.printf("%,d users in %,d s, %s by JMeter against %s%n", this.options.users, this.options.ramp, name,
				this.options.url);
		Summary summary = new Summary(new PlanRun(this.options, plan, tokens, folder).run());
		Samples samples = Samples.read(report.resolve("report.jtl"));
		System.out.println(summary.table(samples.labels()));
		samples.failures()
			.entrySet()
			.stream()
			.limit(MAX_FAILURES)
			.forEach((failure) -> System.out.printf("%,d × %s%n", failure.getValue(), failure.getKey()));
		long expected = expected();
		boolean passed = summary.errors() == 0 && summary.samples() >= Math.max(1, expected);
		System.out.printf("%s: %,d users, %,d samples%s, %,d errors%nReport: %s%n", passed ? "PASSED" : "FAILED",
				this.options.users, summary.samples(), (expected > 0) ? " of %,d".formatted(expected) : "",
				summary.errors(), report.resolve("index.html"));
		return passed ? 0 : 1;
	}

	/**
	 * Returns the expected number of samples; 0 when the plan is not a built-in one.
	 */
	private long expected() {
		long sessions = (long) this.options.users * this.options.loops;
		return switch (this.options.plan) {
			case "seven-steps" -> 7 * sessions;
			case "send" -> (7 + 2L * this.options.messages) * sessions;
			default -> 0;
		};
	}

	private List<String> users() {
		if (this.options.plain) {
			checkListens();
			return Users.plain(this.options.users, this.options.login, this.options.passcode);
		}
		try (Users users = new Users(this.options.url)) {
			return users.signUp(this.options.users);
		}
	}

	private Path plan() {
		Path ours = Path.of(System.getProperty("parley.home", ""), "loadtest", "jmeter", "plans",
				this.options.plan + ".jmx");
		Path plan = Files.isRegularFile(ours) ? ours : Path.of(this.options.plan);
		if (!Files.isRegularFile(plan)) {
			throw new RefusedException("There is no plan \"%s\": --plan takes seven-steps, send or the path of a .jmx."
				.formatted(this.options.plan));
		}
		return plan;
	}

	private void checkTarget() {
		String host = this.options.url.getHost();
		try {
			if (!this.options.owned && !InetAddress.getByName(host).isLoopbackAddress()) {
				throw new RefusedException(
						"%s is not this machine: load on someone else's host is an attack. If it is".formatted(host)
								+ " yours, add --i-own-this-host.");
			}
		}
		catch (UnknownHostException ex) {
			throw new RefusedException("The host " + host + " is unknown: check --url.");
		}
	}

	private void checkListens() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(this.options.url.getHost(), this.options.port()), 10_000);
		}
		catch (IOException ex) {
			throw new RefusedException(
					"Nothing answers at %s: start the server, or pass --url.".formatted(this.options.url));
		}
	}

}
