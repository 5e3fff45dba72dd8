package io.parley.conformance.contract;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.LaterBuild;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The description of requests and responses in docs/api/openapi.json. */
final class AnswerContract {

	private static final String PROBLEM = "schemas/problem.json";

	private final Schemas schemas;

	/** Those without variables first. */
	private final List<Path> paths = new ArrayList<>();

	private record Path(String template, Pattern pattern, JsonNode operations) {
	}

	AnswerContract(Schemas schemas) {
		this.schemas = schemas;
		Schemas.read("openapi.json")
			.path("paths")
			.forEachEntry((template, operations) -> this.paths.add(new Path(template,
					Pattern.compile(template.replace(".", "\\.").replaceAll("\\{\\w+}", "[^/]+")), operations)));
		this.paths.sort(Comparator.comparing((path) -> path.template().contains("{")));
	}

	/** Returns the names of all operations. */
	Set<String> declared() {
		Set<String> names = new TreeSet<>();
		this.paths.forEach((path) -> path.operations()
			.propertyNames()
			.forEach((method) -> names.add(method.toUpperCase(Locale.ROOT) + " " + path.template())));
		return names;
	}

	/**
	 * Checks a response, and the request if it was successful. Returns the operation, or
	 * null if there is none.
	 * @throws ContractException if the document does not have such a response
	 */
	@Nullable String check(String method, String path, byte[] body, ChatApi.Answer answer) {
		String bare = path.replaceAll("[?#].*", "");
		Path known = this.paths.stream()
			.filter((one) -> one.pattern().matcher(bare).matches())
			.findFirst()
			.orElse(null);
		JsonNode operation = (known != null) ? known.operations().path(method.toLowerCase(Locale.ROOT))
				: ChatApi.JSON.missingNode();
		if (!method.equals("HEAD") && answer.response()
			.headers()
			.firstValue("Content-Type")
			.orElse("")
			.startsWith("application/problem+json")) {
			require(method + " " + bare + " " + answer.status(), this.schemas.errors(PROBLEM, answer.body()));
		}
		if (known == null || operation.isMissingNode() || answer.status() >= 400) {
			return null;
		}
		String name = method + " " + known.template();
		JsonNode response = operation.path("responses").path(String.valueOf(answer.status()));
		if (response.isMissingNode()) {
			throw new ContractException("openapi.json has no response " + answer.status() + " for " + name);
		}
		String place = "openapi.json#/paths/" + known.template().replace("/", "~1") + "/"
				+ method.toLowerCase(Locale.ROOT);
		if (!answer.body().isMissingNode() && !answer.response().body().contains(LaterBuild.TYPE)) {
			if (response.path("content").path("application/json").isMissingNode()) {
				throw new ContractException("openapi.json has no JSON for " + name);
			}
			require(name, this.schemas
				.errors(place + "/responses/" + answer.status() + "/content/application~1json/schema", answer.body()));
		}
		if (body.length > 0 && operation.path("requestBody").path("content").has("application/json")) {
			require("the body of " + name,
					this.schemas.errors(place + "/requestBody/content/application~1json/schema", parse(name, body)));
		}
		return name;
	}

	private static JsonNode parse(String name, byte[] body) {
		try {
			return ChatApi.JSON.readTree(body);
		}
		catch (JacksonException ex) {
			throw new ContractException("the server has accepted a body that is not JSON: " + name);
		}
	}

	private static void require(String name, List<String> errors) {
		if (!errors.isEmpty()) {
			throw new ContractException(name + ": " + errors);
		}
	}

}
