package io.parley.contracts;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.parley.events.EventType;
import io.parley.events.FeatureLevel;
import io.parley.server.error.ErrorCode;
import io.parley.server.testing.AuthorizationTable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/api/asyncapi.json and the schemas, which are written by hand, name what the code
 * has. The protocol tests compare them with the frames.
 */
class AsyncApiTests {

	private static final Pattern LEVEL = Pattern.compile("^## Level (\\d+)", Pattern.MULTILINE);

	private final JsonNode document = ApiFolder.read("asyncapi.json");

	@Test
	void hasEachTypeOfEvent() {
		List<String> types = Arrays.stream(EventType.class.getFields())
			.filter((field) -> Modifier.isStatic(field.getModifiers()) && field.getType() == EventType.class)
			.map(AsyncApiTests::name)
			.toList();
		assertThat(types).hasSizeGreaterThan(10);
		assertThat(this.document.path("channels").path("roomEvents").path("messages").propertyNames())
			.containsAll(types);
		assertThat(ApiFolder.references(ApiFolder.read("schemas/room-event.json")))
			.containsExactlyInAnyOrderElementsOf(types.stream().map((type) -> type + ".json").toList());
	}

	private static String name(Field field) {
		try {
			return ((EventType) field.get(null)).wireName();
		}
		catch (IllegalAccessException ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void hasEachDestinationOfTheTableOfRights() {
		Set<String> described = new TreeSet<>();
		this.document.path("channels").forEach((channel) -> {
			if (channel.path("address").isString()) {
				described
					.add(channel.path("x-stomp").path("frame").asString() + " " + channel.path("address").asString());
			}
		});
		assertThat(described).isEqualTo(AuthorizationTable.read()
			.stream()
			.filter((row) -> row.isFrame() && row.outcomes().containsValue("ok") && !row.method().equals("CONNECT"))
			.map((row) -> row.method() + " " + row.endpoint())
			.collect(Collectors.toCollection(TreeSet::new)));
	}

	@Test
	void hasEachErrorCode() {
		assertThat(ApiFolder.read("schemas/common.json").path("$defs").path("errorCode").path("enum"))
			.extracting(JsonNode::asString)
			.containsExactlyInAnyOrderElementsOf(Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList());
	}

	@Test
	void referencesLeadSomewhere() {
		ApiFolder.references(this.document).forEach((reference) -> requireTarget("asyncapi.json", reference));
		for (String schema : ApiFolder.schemas()) {
			String file = "schemas/" + schema + ".json";
			ApiFolder.references(ApiFolder.read(file)).forEach((reference) -> requireTarget(file, reference));
		}
	}

	private static void requireTarget(String file, String reference) {
		String[] parts = reference.split("#", 2);
		String target = parts[0].isEmpty() ? file
				: ((file.contains("/") ? file.substring(0, file.indexOf('/') + 1) : "") + parts[0]);
		assertThat(ApiFolder.FOLDER.resolve(target)).as("%s in %s", reference, file).exists();
		assertThat(ApiFolder.read(target).at((parts.length > 1) ? parts[1] : "").isMissingNode())
			.as("%s in %s", reference, file)
			.isFalse();
	}

	@Test
	void bothDocumentsHaveTheLevelOfTheBuild() {
		Matcher levels = LEVEL.matcher(ApiFolder.text(ApiFolder.FOLDER.resolve("README.md")));
		assertThat(levels.find()).isTrue();
		assertThat(levels.group(1)).as("the newest level of docs/api/README.md is the first")
			.isEqualTo(String.valueOf(FeatureLevel.CURRENT));
		assertThat(this.document.path("info").path("version").asString())
			.isEqualTo(String.valueOf(FeatureLevel.CURRENT));
	}

}
