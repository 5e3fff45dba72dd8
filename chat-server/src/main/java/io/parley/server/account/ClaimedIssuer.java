package io.parley.server.account;

import java.util.Base64;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads who claims to have issued a token, without verifying anything. */
final class ClaimedIssuer {

	private static final JsonFactory JSON = new JsonFactory();

	private ClaimedIssuer() {
	}

	/** Returns the claim {@code iss} of a signed JWT, or null if there is none. */
	static @Nullable String of(String token) {
		int begin = token.indexOf('.') + 1;
		int end = token.indexOf('.', begin);
		if (begin == 0 || end < 0) {
			return null;
		}
		try (JsonParser claims = JSON.createParser(ObjectReadContext.empty(),
				Base64.getUrlDecoder().decode(token.substring(begin, end)))) {
			return read(claims);
		}
		catch (JacksonException | IllegalArgumentException ex) {
			return null;
		}
	}

	private static @Nullable String read(JsonParser claims) {
		if (claims.nextToken() != JsonToken.START_OBJECT) {
			return null;
		}
		while (claims.nextToken() == JsonToken.PROPERTY_NAME) {
			boolean issuer = "iss".equals(claims.currentName());
			JsonToken value = claims.nextToken();
			if (issuer) {
				return (value == JsonToken.VALUE_STRING) ? claims.getString() : null;
			}
			claims.skipChildren();
		}
		return null;
	}

}
