package io.parley.trace;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

@AnalyzeClasses(packages = "io.parley.trace", importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyTests {

	@ArchTest
	static final ArchRule usesEventsAndOpenTelemetry = classes().should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.parley.trace..", "io.parley.events..", "io.opentelemetry..", "java..",
				"org.jspecify.annotations..", "org.slf4j..", "org.springframework..", "jakarta.validation..")
		.because("all programs record with it, so it knows no log, no database and no session");

}
