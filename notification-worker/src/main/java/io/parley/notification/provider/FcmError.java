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
 * The error with which FCM rejects a message.
 *
 * @param description a sentence; empty if the body is not FCM's
 * @param fields the fields of the message that are wrong
 */
record FcmError(String description, List<String> fields) {

	private static final FcmError NONE = new FcmError("", List.of());

	/** Parses a body, which may come from a proxy and contain anything. */
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
	 * Returns whether the error concerns the target. FCM uses the same code, without
	 * naming a field, for a message that is too big.
	 */
	boolean isAboutTarget() {
		if (this.fields.isEmpty()) {
			String lower = this.description.toLowerCase(Locale.ROOT);
			return !(lower.contains("too big") || lower.contains("too large") || lower.contains("exceed"));
		}
		return this.fields.stream().allMatch((field) -> field.equals("message.token") || field.equals("message.fid"));
	}

	/**
	 * Returns the description without the target, which FCM may repeat in it, and the
	 * wrong fields.
	 */
	String description(String target) {
		String safe = target.isBlank() ? this.description : this.description.replace(target, "...");
		return (this.fields.isEmpty()) ? safe : safe + " (" + String.join(", ", this.fields) + ")";
	}

}
