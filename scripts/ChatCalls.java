import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls of the REST API for the programs in this directory; each is an error unless it succeeds. */
final class ChatCalls {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final Pattern TOKEN = Pattern.compile("\"accessToken\":\"([^\"]+)\"");

	private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

	private ChatCalls() {
	}

	/** Signs a demo user in and returns the access token. */
	static String login(String url, String user) throws IOException, InterruptedException {
		return first(TOKEN, send(url, "/api/auth/login", "{\"username\":\"" + user + "\",\"password\":\"demo\"}", ""));
	}

	/** Returns the first id in a response. */
	static String id(String response) {
		return first(ID, response);
	}

	/**
	 * Sends a request and returns the body of the response.
	 * @param json the body of a POST; empty for a GET
	 * @param token an access token, or empty
	 */
	static String send(String url, String path, String json, String token) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).header("Content-Type", "application/json");
		if (!json.isEmpty()) {
			request.POST(BodyPublishers.ofString(json));
		}
		if (!token.isEmpty()) {
			request.header("Authorization", "Bearer " + token);
		}
		var response = HTTP.send(request.build(), BodyHandlers.ofString());
		if (response.statusCode() / 100 != 2) {
			throw new IllegalStateException(path + " answered " + response.statusCode() + ": " + response.body());
		}
		return response.body();
	}

	private static String first(Pattern pattern, String text) {
		Matcher matcher = pattern.matcher(text);
		if (!matcher.find()) {
			throw new IllegalStateException("No " + pattern + " in " + text);
		}
		return matcher.group(1);
	}

}
