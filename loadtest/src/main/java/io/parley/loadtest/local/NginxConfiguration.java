package io.parley.loadtest.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.RefusedException;

/**
 * The configuration that the container would use, made as its entry point makes it: the
 * numbers from the script, the rest from the template. Only paths differ.
 */
final class NginxConfiguration {

	private static final Pattern NUMBER = Pattern.compile("\\$\\{(CHAT_[A-Z_]+)}");

	private NginxConfiguration() {
	}

	/**
	 * Writes it into a folder. Numbers that are set in the environment win, as in the
	 * container.
	 * @param module the folder with the script and the template
	 * @param listen address and port
	 * @param server host and port
	 */
	static Path write(Path module, Path folder, String listen, String server) throws IOException {
		Map<String, String> numbers = derive(module.resolve("15-derive-limits.envsh"), listen, server);
		String template = Files.readString(module.resolve("templates/nginx.conf.template"));
		String filled = NUMBER.matcher(template)
			.replaceAll((name) -> Matcher.quoteReplacement(numbers.getOrDefault(name.group(1), "")));
		StringBuilder own = new StringBuilder("http {\n");
		for (String kind : new String[] { "client_body", "proxy", "fastcgi", "uwsgi", "scgi" }) {
			own.append("    %s_temp_path %s;%n".formatted(kind, folder.resolve(kind)));
		}
		String adapted = filled.replaceFirst("http \\{\n", Matcher.quoteReplacement(own.toString()))
			.replace("include /etc/nginx/mime.types;", "")
			.replace("/etc/nginx/chat/", folder + "/chat/")
			.replace("/run/nginx.pid", folder + "/nginx.pid")
			.replace("error_log /dev/stderr", "error_log " + folder + "/error.log")
			.replace("access_log /dev/stdout", "access_log " + folder + "/access.log");
		return Files.writeString(folder.resolve("nginx.conf"), adapted);
	}

	private static Map<String, String> derive(Path script, String listen, String server) throws IOException {
		ProcessBuilder shell = new ProcessBuilder("sh", "-c", ". \"$0\" && env", script.toAbsolutePath().toString());
		shell.environment().put("CHAT_LISTEN", listen);
		shell.environment().put("CHAT_SERVERS", server);
		// A level begins within a second; who refuses then is the question elsewhere.
		shell.environment().putIfAbsent("CHAT_UPGRADES_PER_SECOND", "100000");
		Process process = shell.redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		Map<String, String> numbers = new TreeMap<>();
		output.lines().filter((line) -> line.startsWith("CHAT_")).forEach((line) -> {
			String[] parts = line.split("=", 2);
			numbers.put(parts[0], parts[1]);
		});
		if (!numbers.containsKey("CHAT_WORKER_CONNECTIONS")) {
			throw new RefusedException("%s derives no numbers for nginx: %s".formatted(script, output.strip()));
		}
		return numbers;
	}

}
