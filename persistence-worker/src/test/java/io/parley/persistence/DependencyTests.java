package io.parley.persistence;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.parley.log.architecture.MainClasses;
import io.parley.log.architecture.ModuleRules;

@AnalyzeClasses(packages = "io.parley.persistence", importOptions = MainClasses.class)
class DependencyTests {

	private static final String WORKER = "io.parley.persistence..";

	@ArchTest
	static final ArchRule readsTheLogAndWritesTheStore = ModuleRules
		.usesOfParleyOnly(WORKER, "io.parley.store..", "io.parley.events..", "io.parley.log", "io.parley.log.config",
				"io.parley.log.health", "io.parley.log.worker", "io.parley.trace")
		.because("a worker runs alone or in the chat-server, with any log, and needs no other worker");

	@ArchTest
	static final ArchRule usesNoClientOfALog = ModuleRules.usesNoClientOfALog(WORKER)
		.because("the configuration selects the adapter");

	@ArchTest
	static final ArchRule hasNoEndpoint = ModuleRules.hasNoEndpoint(WORKER)
		.because("as a library it must not add endpoints to its host");

}
