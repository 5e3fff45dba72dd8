package io.parley.notification.provider;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;

/**
 * What FCM says about a refused message.
 *
 * @param description a sentence; empty when the body is not FCM's
 * @param fields of the message that are wrong
 */
record FcmError(String description, List<String> fields) {

	private static final FcmError NONE = new FcmError("", List.of());

	/** Reads a body, which may come from a proxy and be anything. */
	static FcmError parse(@Nullable String body) {
		try {
			return read(JsonParser.parseString((body != null) ? body : "").getAsJsonObject().getAsJsonObject("error"));
		}
		catch (JsonParseException | IllegalStateException | ClassCastException | UnsupportedOperationException
				| NullPointerException ex) {
			return NONE;
		}
	}

	private static FcmError read(JsonObject error) {
		List<String> fields = new ArrayList<>();
		for (JsonElement detail : array(error, "details")) {
			for (JsonElement violation : array(detail.getAsJsonObject(), "fieldViolations")) {
				fields.add(violation.getAsJsonObject().get("field").getAsString());
			}
		}
		return new FcmError(error.get("message").getAsString(), List.copyOf(fields));
	}

	private static JsonArray array(JsonObject object, String name) {
		return object.has(name) ? object.getAsJsonArray(name) : new JsonArray();
	}

	/**
	 * Whether the target is what is wrong. FCM says the same code for a message that is
	 * too big, without naming a field.
	 */
	boolean isAboutTarget() {
		if (this.fields.isEmpty()) {
			String lower = this.description.toLowerCase(Locale.ROOT);
			return !(lower.contains("too big") || lower.contains("too large") || lower.contains("exceed"));
		}
		return this.fields.stream().allMatch((field) -> field.equals("message.token") || field.equals("message.fid"));
	}

	/** The sentence without the target, which it may repeat. */
	String description(String target) {
		String safe = target.isBlank() ? this.description : this.description.replace(target, "...");
		return (this.fields.isEmpty()) ? safe : safe + " (" + String.join(", ", this.fields) + ")";
	}

}
