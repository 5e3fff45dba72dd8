package io.parley.loadtest.report;

import java.util.List;

import io.parley.loadtest.report.RunReport.Fact;

/** Where a run took place. */
public final class Environment {

	private Environment() {
	}

	/** This machine and this JVM; a report adds what it knows of the server. */
	public static List<Fact> facts() {
		return List.of(new Fact("cores", Integer.toString(Runtime.getRuntime().availableProcessors())));
	}

}
