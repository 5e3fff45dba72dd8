package io.parley.loadtest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rules for the packages of all modules of the load kit.
 */
public final class PackageRules {

	@ArchTest
	static final ArchRule packagesDoNotDependOnEachOtherInCircles = slices().assignedFrom(new Packages())
		.should()
		.beFreeOfCycles()
		.because("a package must be understood without those that use it");

	@ArchTest
	static final ArchRule nullIsMarkedEverywhere = classes().that(areOfTheLoadKit())
		.should(liveInANullMarkedPackage())
		.because("NullAway checks marked packages only");

	private PackageRules() {
	}

	private static DescribedPredicate<JavaClass> areOfTheLoadKit() {
		return DescribedPredicate.describe("are of the load kit",
				(javaClass) -> javaClass.getPackageName().startsWith("io.parley.loadtest"));
	}

	private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
		return new ArchCondition<>("live in a @NullMarked package") {
			@Override
			public void check(JavaClass javaClass, ConditionEvents events) {
				boolean marked = javaClass.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(javaClass, marked, javaClass.getPackageName() + " is not marked"));
			}
		};
	}

	/**
	 * Each package is a slice, also the root package.
	 */
	private static final class Packages implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
			return areOfTheLoadKit().test(javaClass) ? SliceIdentifier.of(javaClass.getPackageName())
					: SliceIdentifier.ignore();
		}

		@Override
		public String getDescription() {
			return "packages of the load kit";
		}

	}

	/**
	 * Leaves out the test classes of other modules, which are on the class path as jars.
	 */
	public static final class WithoutTestJars implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("-tests.jar");
		}

	}

}
