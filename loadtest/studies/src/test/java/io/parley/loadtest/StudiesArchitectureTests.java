package io.parley.loadtest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.parley.loadtest.cli.CommandExtension;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

/**
 * The rules for the generator and the studies together.
 */
@AnalyzeClasses(packages = "io.parley.loadtest",
		importOptions = { ImportOption.DoNotIncludeTests.class, PackageRules.WithoutTestJars.class })
class StudiesArchitectureTests {

	@ArchTest
	static final ArchTests packages = ArchTests.in(PackageRules.class);

	@ArchTest
	static final ArchRule publicMeansUsedElsewhere = classes().that(arePublic())
		.should(beUsedByAnotherPackage())
		.because("everything else is package-private");

	/**
	 * The class that starts the program, and the commands that it loads as services, are
	 * public without being used.
	 */
	private static DescribedPredicate<JavaClass> arePublic() {
		return DescribedPredicate.describe("are public, on the top level, and not loaded by name",
				(javaClass) -> javaClass.getModifiers().contains(JavaModifier.PUBLIC) && javaClass.isTopLevelClass()
						&& !javaClass.isEquivalentTo(LoadTest.class)
						&& !(javaClass.isAssignableTo(CommandExtension.class)
								&& !javaClass.getModifiers().contains(JavaModifier.ABSTRACT)));
	}

	private static ArchCondition<JavaClass> beUsedByAnotherPackage() {
		return new ArchCondition<>("be used by another package") {
			@Override
			public void check(JavaClass javaClass, ConditionEvents events) {
				boolean used = javaClass.getDirectDependenciesToSelf()
					.stream()
					.anyMatch((use) -> !use.getOriginClass().getPackageName().equals(javaClass.getPackageName()));
				events.add(new SimpleConditionEvent(javaClass, used, javaClass.getName() + " need not be public"));
			}
		};
	}

}
