package io.parley.loadtest.report;

import tools.jackson.databind.json.JsonMapper;

/** What makes text harmless in a page. */
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

	/** Data as JSON that cannot end the element of the script it stands in. */
	static String script(Object data) {
		return JsonMapper.shared().writeValueAsString(data).replace("<", "\\u003c").replace("&", "\\u0026");
	}

}
