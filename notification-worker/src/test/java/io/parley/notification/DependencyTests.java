package io.parley.notification;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.parley.log.architecture.MainClasses;
import io.parley.log.architecture.ModuleRules;

@AnalyzeClasses(packages = "io.parley.notification", importOptions = MainClasses.class)
class DependencyTests {

	private static final String WORKER = "io.parley.notification..";

	private static final String[] FIREBASE = { "com.google.firebase..", "com.google.auth..", "com.google.api..",
			"org.apache.hc.." };

	@ArchTest
	static final ArchRule readsTheLogAndTheStore = ModuleRules
		.usesOfParleyOnly(WORKER, "io.parley.store..", "io.parley.events..", "io.parley.log", "io.parley.log.config",
				"io.parley.log.health", "io.parley.log.worker", "io.parley.trace")
		.because("a worker runs alone or in the chat-server, with any log, and needs no other worker");

	@ArchTest
	static final ArchRule usesNoClientOfALog = ModuleRules.usesNoClientOfALog(WORKER)
		.because("the configuration selects the adapter");

	@ArchTest
	static final ArchRule hasNoEndpoint = ModuleRules.hasNoEndpoint(WORKER)
		.because("as a library it must not add endpoints to its host");

	@ArchTest
	static final ArchRule plansWithoutFirebase = ModuleRules.usesNone("io.parley.notification", FIREBASE)
		.because("only the packages of the providers know how a push is sent");

}
