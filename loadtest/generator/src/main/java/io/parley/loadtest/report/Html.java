package io.parley.loadtest.report;

import tools.jackson.databind.json.JsonMapper;

/**
 * Escapes text for HTML pages.
 */
final class Html {

	private Html() {
	}

	static String escape(String text) {
		return text.replace("&", "&amp;")
			.replace("<", "&lt;")
			.replace(">", "&gt;")
			.replace("\"", "&quot;")
			.replace("'", "&#39;");
	}

	/**
	 * Serializes data as JSON that cannot close the surrounding script element.
	 */
	static String script(Object data) {
		return JsonMapper.shared().writeValueAsString(data).replace("<", "\\u003c").replace("&", "\\u0026");
	}

}
