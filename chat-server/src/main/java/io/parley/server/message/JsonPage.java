package io.parley.server.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Joins elements that are JSON already to one object. */
final class JsonPage {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	JsonPage array(String name, List<byte[]> elements) {
		name(name);
		this.out.write('[');
		for (int i = 0; i < elements.size(); i++) {
			if (i > 0) {
				this.out.write(',');
			}
			this.out.writeBytes(elements.get(i));
		}
		this.out.write(']');
		return this;
	}

	/** Adds a number or a boolean, or an element that is JSON already. */
	JsonPage value(String name, Object value) {
		name(name);
		this.out.writeBytes(
				(value instanceof byte[] json) ? json : String.valueOf(value).getBytes(StandardCharsets.US_ASCII));
		return this;
	}

	private void name(String name) {
		this.out.writeBytes(((this.out.size() > 0) ? ",\"" : "{\"").getBytes(StandardCharsets.US_ASCII));
		this.out.writeBytes((name + "\":").getBytes(StandardCharsets.US_ASCII));
	}

	byte[] end() {
		this.out.write('}');
		return this.out.toByteArray();
	}

}
