package io.parley.events;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

@AnalyzeClasses(packages = "io.parley.events", importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyTests {

	@ArchTest
	static final ArchRule usesOnlyJsonAndTheJdk = classes().should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.parley.events..", "java..", "org.jspecify.annotations..", "tools.jackson..")
		.because("all modules and clients use the events, so they carry no framework");

}
