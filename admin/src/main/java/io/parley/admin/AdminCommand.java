package io.parley.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

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
	 * Returns a text that people wrote as one line, without characters that control the
	 * terminal.
	 */
	static String oneLine(JsonNode text) {
		return text.asString("").replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ");
	}

	/** Returns the line that says how to see the next page; empty on the last page. */
	static String more(String option, JsonNode next) {
		return (next.isMissingNode() || next.isNull()) ? ""
				: "There may be more: " + option + " " + next.asString() + "\n";
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
