package io.parley.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints what the server answers. */
@Command(mixinStandardHelpOptions = true)
abstract class AdminCommand implements Runnable {

	private final Map<String, String> environment;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	AdminCommand(Map<String, String> environment) {
		this.environment = environment;
	}

	@Override
	public final void run() {
		print(answer());
	}

	/** Prints what the server answered. */
	final void print(String answer) {
		this.spec.commandLine().getOut().print(answer);
		this.spec.commandLine().getOut().flush();
	}

	/** Encodes a value for a path or a query. */
	static String encode(String value) {
		return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
	}

	/**
	 * Asks the server.
	 * @return what to print
	 * @throws AdminException if the server refuses or does not answer
	 */
	abstract String answer();

	/** Returns the value of a variable, or its default if it is not set. */
	String variable(String name, String defaultValue) {
		return this.environment.getOrDefault(name, defaultValue);
	}

	/**
	 * Signs in as the user of the environment.
	 * @throws AdminException if the server does not answer or rejects the password
	 */
	OperatorSession signIn() {
		return OperatorSession.signIn(new HttpServer(variable("CHAT_URL", "http://localhost:8080"), "CHAT_URL"),
				variable("CHAT_USER", "alice"), variable("CHAT_PASSWORD", "demo"));
	}

}
