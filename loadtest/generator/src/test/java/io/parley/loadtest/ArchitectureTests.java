package io.parley.loadtest;

import java.util.Map;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packages = "io.parley.loadtest",
		importOptions = { ImportOption.DoNotIncludeTests.class, PackageRules.WithoutTestJars.class })
class ArchitectureTests {

	/**
	 * With package-info.java these are 20 files.
	 */
	private static final int MAX_CLASSES = 19;

	@ArchTest
	static final ArchTests packages = ArchTests.in(PackageRules.class);

	@ArchTest
	static final ArchRule theGeneratorUsesThePublicProtocolOnly = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.parley.events..", "io.parley.log..", "io.parley.store..", "io.parley.server..")
		.because("it checks the server from outside");

	@ArchTest
	static void packagesAreSmall(JavaClasses classes) {
		Map<String, Long> sizes = classes.stream()
			.filter(JavaClass::isTopLevelClass)
			.filter((javaClass) -> !javaClass.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(sizes).isNotEmpty().allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MAX_CLASSES));
	}

}
