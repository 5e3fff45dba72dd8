package io.parley.admin;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

@AnalyzeClasses(packages = "io.parley.admin", importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyTests {

	@ArchTest
	static final ArchRule usesNoOtherModuleAndNoFramework = classes().should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.parley.admin..", "java..", "org.jspecify.annotations..", "picocli..", "tools.jackson..")
		.because("operators call the public API, with a program that starts fast");

}
