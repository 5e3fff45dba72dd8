package io.parley.fakefcm;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Serves until the process is stopped.
 */
@Command(name = "fake-fcm", description = "A stand-in for Firebase Cloud Messaging that accepts pushes.",
		mixinStandardHelpOptions = true, showDefaultValues = true)
public final class FakeFcmCommand implements Callable<Integer> {

	@Option(names = "--port", defaultValue = "8443", description = "port for messages; 0 for a free one")
	int port;

	@Option(names = "--control-port", defaultValue = "8444",
			description = "port for access tokens and control; 0 for a free one")
	int controlPort;

	@Option(names = "--latency", defaultValue = "100", paramLabel = "MILLIS",
			description = "time between request and answer")
	long latency;

	@Option(names = "--write-credentials", defaultValue = "fake-fcm", paramLabel = "DIR",
			description = "folder for the credentials and the certificate to trust")
	Path directory = Path.of("fake-fcm");

	@Spec
	@Nullable CommandSpec spec;

	/**
	 * Runs the command and ends the JVM with its exit code.
	 */
	public static void main(String[] args) {
		System.exit(new CommandLine(new FakeFcmCommand()).execute(args));
	}

	/**
	 * Returns the names of all behaviours.
	 */
	static List<String> kinds() {
		return Arrays.stream(Behaviour.Kind.values())
			.map((kind) -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.toList();
	}

	@Override
	public Integer call() {
		FakeFcmOptions options = FakeFcmOptions.defaults()
			.withPorts(this.port, this.controlPort)
			.withLatency(Duration.ofMillis(this.latency));
		try (FakeFcm fcm = FakeFcm.start(options)) {
			PrintWriter out = (this.spec != null) ? this.spec.commandLine().getOut() : new PrintWriter(System.out);
			out.println(instructions(fcm, this.directory.toAbsolutePath()));
			out.flush();
			fcm.await();
		}
		return 0;
	}

	/**
	 * Returns the instructions that point a worker at the fake.
	 */
	static String instructions(FakeFcm fcm, Path directory) {
		return """
				Fake FCM at %s. Start a notification-worker with

				CHAT_PUSH_PROVIDER=fcm
				CHAT_PUSH_FCM_ENDPOINT=%s
				CHAT_PUSH_FCM_CREDENTIALS=%s
				CHAT_PUSH_FCM_SSL_BUNDLE=fcm
				SPRING_SSL_BUNDLE_PEM_FCM_TRUSTSTORE_CERTIFICATE=file:%s

				curl %s/counts
				curl '%s/messages?token=...'
				curl -X PUT %s/behaviour -d '{"kind":"unavailable","latencyMillis":100}'
				Kinds: %s""".formatted(fcm.endpoint(), fcm.endpoint(), fcm.serviceAccountFile(directory),
				fcm.trustCertificateFile(directory), fcm.control(), fcm.control(), fcm.control(),
				String.join(", ", kinds()));
	}

}
