package io.parley.log.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Rules about the dependencies of a module. Packages are patterns of ArchUnit. */
public final class ModuleRules {

	/** The client libraries of the logs. Only the adapters use them. */
	private static final String[] LOG_CLIENTS = { "org.rocksdb..", "com.rabbitmq..", "org.apache.kafka.." };

	/** The libraries of HTTP and STOMP endpoints. Only the chat-server uses them. */
	private static final String[] ENDPOINTS = { "org.springframework.web..", "org.springframework.messaging..",
			"jakarta.servlet..", "org.eclipse.jetty.." };

	private ModuleRules() {
	}

	/**
	 * Of Parley's packages, the module uses its own and the allowed ones. Libraries are
	 * not restricted.
	 */
	public static ArchRule usesOfParleyOnly(String module, String... allowed) {
		DescribedPredicate<JavaClass> others = JavaClass.Predicates.resideInAPackage("io.parley..")
			.and(JavaClass.Predicates.resideOutsideOfPackages(allowed))
			.and(JavaClass.Predicates.resideOutsideOfPackage(module));
		return noClasses().that().resideInAPackage(module).should().dependOnClassesThat(others);
	}

	/** The module uses no client library of a log. */
	public static ArchRule usesNoClientOfALog(String module) {
		return usesNone(module, LOG_CLIENTS);
	}

	/** The module uses no library of endpoints. */
	public static ArchRule hasNoEndpoint(String module) {
		return usesNone(module, ENDPOINTS);
	}

	/** The module uses no class of these packages. */
	public static ArchRule usesNone(String module, String... packages) {
		return noClasses().that().resideInAPackage(module).should().dependOnClassesThat().resideInAnyPackage(packages);
	}

	/** No packages use each other, directly or through others. */
	public static ArchRule hasNoPackageCycles() {
		return SlicesRuleDefinition.slices().assignedFrom(new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass type) {
				return SliceIdentifier.of(type.getPackageName());
			}

			@Override
			public String getDescription() {
				return "packages";
			}

		}).should().beFreeOfCycles();
	}

}
