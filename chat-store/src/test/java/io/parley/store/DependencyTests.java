package io.parley.store;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.parley.log.architecture.MainClasses;
import io.parley.log.architecture.ModuleRules;

@AnalyzeClasses(packages = "io.parley.store", importOptions = MainClasses.class)
class DependencyTests {

	private static final String STORE = "io.parley.store..";

	@ArchTest
	static final ArchRule usesTheEventsAndThePortOfTheLog = ModuleRules
		.usesOfParleyOnly(STORE, "io.parley.events..", "io.parley.log", "io.parley.log.config")
		.because("the store compares its offsets with any log, and knows no adapter, worker or server");

	@ArchTest
	static final ArchRule hasNoPackageCycles = ModuleRules.hasNoPackageCycles();

	@ArchTest
	static final ArchRule usesNoClientOfALog = ModuleRules.usesNoClientOfALog(STORE)
		.because("who leaves out an adapter leaves out its library");

	@ArchTest
	static final ArchRule hasNoEndpoint = ModuleRules.hasNoEndpoint(STORE)
		.because("workers without endpoints use the store too");

}
