package io.parley.server;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures;
import org.jspecify.annotations.NullMarked;

import org.springframework.web.socket.adapter.jetty.JettyWebSocketHandlerAdapter;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = "io.parley",
		importOptions = { ImportOption.DoNotIncludeTests.class, ArchitectureTests.WithoutTestJars.class })
class ArchitectureTests {

	@ArchTest
	static final ArchRule modulesDependInOneDirection = Architectures.layeredArchitecture()
		.consideringOnlyDependenciesInLayers()
		.layer("events")
		.definedBy("io.parley.events..")
		.layer("log")
		.definedBy("io.parley.log", "io.parley.log.claim..", "io.parley.log.config..", "io.parley.log.health..",
				"io.parley.log.worker..")
		.layer("embedded log")
		.definedBy("io.parley.log.embedded..")
		.layer("log in RabbitMQ")
		.definedBy("io.parley.log.rabbitmq..")
		.layer("log in Kafka")
		.definedBy("io.parley.log.kafka..")
		.layer("store")
		.definedBy("io.parley.store..")
		.layer("traces")
		.definedBy("io.parley.trace..")
		.layer("workers")
		.definedBy("io.parley.persistence..", "io.parley.notification..")
		.layer("server")
		.definedBy("io.parley.server..")
		.whereLayer("server")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("workers")
		.mayOnlyBeAccessedByLayers("server")
		.whereLayer("log")
		.mayOnlyBeAccessedByLayers("embedded log", "log in RabbitMQ", "log in Kafka", "store", "workers", "server")
		.whereLayer("embedded log")
		.mayOnlyBeAccessedByLayers("server")
		.whereLayer("log in RabbitMQ")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("log in Kafka")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("traces")
		.mayOnlyBeAccessedByLayers("workers", "server")
		.whereLayer("store")
		.mayOnlyBeAccessedByLayers("workers", "server")
		.because("everything after the append is a reader");

	@ArchTest
	static final ArchRule theContractKnowsNoFramework = noClasses().that()
		.resideInAPackage("io.parley.events..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "jakarta..")
		.because("clients and load generators use it too");

	@ArchTest
	static final ArchRule clientLibrariesAreUsedByTheAdaptersOnly = noClasses().that()
		.resideOutsideOfPackages("io.parley.log.embedded..", "io.parley.log.rabbitmq..", "io.parley.log.kafka..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.rocksdb..", "com.rabbitmq.stream..", "org.apache.kafka..")
		.because("who leaves out an adapter leaves out its library");

	@ArchTest
	static final ArchRule featuresDoNotDependOnEachOtherInCircles = slices().matching("io.parley.(*).(*)..")
		.should()
		.beFreeOfCycles()
		.because("a feature must be understood without those that use it");

	@ArchTest
	static final ArchRule nullIsMarkedEverywhere = classes().should(liveInANullMarkedPackage())
		.because("NullAway checks marked packages only");

	@ArchTest
	static final ArchRule packagesAreNamedByFeature = noClasses().should()
		.resideInAnyPackage("..impl..", "..util..", "..utils..", "..dto..", "..service..", "..common..", "..helper..")
		.because("layers that only forward are in the way");

	@ArchTest
	static final ArchRule theEdgeIsClosed = classes().that()
		.resideInAPackage("io.parley.server.stomp")
		.should()
		.notBePublic()
		.because("nothing may depend on the STOMP edge");

	@ArchTest
	static final ArchRule publicMeansUsedElsewhere = classes().that(arePublicInTheServer())
		.should(beUsedByAnotherPackage())
		.because("everything else is package-private");

	private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
		return new ArchCondition<>("live in a @NullMarked package") {
			@Override
			public void check(JavaClass javaClass, ConditionEvents events) {
				boolean marked = javaClass.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(javaClass, marked, javaClass.getPackageName() + " is not marked"));
			}
		};
	}

	private static DescribedPredicate<JavaClass> arePublicInTheServer() {
		return DescribedPredicate.describe("are public, on the top level of the server",
				(javaClass) -> javaClass.getPackageName().startsWith("io.parley.server.")
						&& javaClass.getModifiers().contains(JavaModifier.PUBLIC) && javaClass.isTopLevelClass()
						&& !isEndpointOfJetty(javaClass));
	}

	/** Jetty looks up the methods of an endpoint, so its class must be public. */
	private static boolean isEndpointOfJetty(JavaClass javaClass) {
		return javaClass.isAssignableTo(JettyWebSocketHandlerAdapter.class);
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

	/** Other modules package their test classes as jars. */
	static final class WithoutTestJars implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("-tests.jar!");
		}

	}

}
