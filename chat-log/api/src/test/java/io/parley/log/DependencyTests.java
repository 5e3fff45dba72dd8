package io.parley.log;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.parley.log.architecture.MainClasses;
import io.parley.log.architecture.ModuleRules;

@AnalyzeClasses(packages = "io.parley.log", importOptions = MainClasses.class)
class DependencyTests {

	private static final String PORT = "io.parley.log..";

	@ArchTest
	static final ArchRule usesNoOtherModule = ModuleRules.usesOfParleyOnly(PORT)
		.because("the port carries bytes: it knows no event, adapter, store, worker or server");

	@ArchTest
	static final ArchRule usesNoClientOfALog = ModuleRules.usesNoClientOfALog(PORT)
		.because("who leaves out an adapter leaves out its library");

}
