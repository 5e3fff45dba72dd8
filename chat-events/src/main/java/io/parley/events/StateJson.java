package io.parley.events;

import java.util.LinkedHashMap;
import java.util.Map;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** The JSON of the state of a message: its reactions and its thread. */
final class StateJson {

	private StateJson() {
	}

	/** Returns how often each reaction was given. */
	static String counts(Map<String, Integer> counts) {
		return Json.text((json) -> writeCounts(json, counts));
	}

	static void writeCounts(JsonGenerator json, Map<String, Integer> counts) {
		counts.forEach((key, count) -> json.writeNumberProperty(key, count.intValue()));
	}

	static Map<String, Integer> parseCounts(String json) {
		return counts(Json.MAPPER.readTree(json));
	}

	static Map<String, Integer> counts(JsonNode json) {
		Map<String, Integer> counts = new LinkedHashMap<>();
		json.forEachEntry((key, count) -> counts.put(key, count.asInt(0)));
		return counts;
	}

	/** Returns the reactions of a message as one user sees them. */
	static String reactions(Map<String, ReactionView> reactions) {
		return Json.text((json) -> reactions.forEach((key, reaction) -> {
			json.writeObjectPropertyStart(key);
			json.writeNumberProperty("n", reaction.n());
			json.writeBooleanProperty("mine", reaction.mine());
			json.writePOJOProperty("users", reaction.users());
			json.writeEndObject();
		}));
	}

	/** Returns the thread of a message as clients see it. */
	static String thread(ThreadState thread) {
		return Json.text((json) -> {
			json.writeNumberProperty("replies", thread.replies());
			json.writeNumberProperty("lastPosition", thread.last());
			json.writePOJOProperty("users", thread.users());
		});
	}

}
