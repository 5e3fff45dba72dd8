package io.parley.store.report;

import java.util.Locale;

/** The state of a report. */
public enum ReportState {

	/** Nobody has decided yet. */
	OPEN,

	/** Something was done about the message. */
	RESOLVED,

	/** Nothing needed to be done. */
	DISMISSED;

	/** Returns the name in JSON and in the database. */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	static ReportState ofWireName(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

}
