package io.parley.log.kafka;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.parley.log.architecture.MainClasses;
import io.parley.log.architecture.ModuleRules;

@AnalyzeClasses(packages = "io.parley.log.kafka", importOptions = MainClasses.class)
class DependencyTests {

	private static final String ADAPTER = "io.parley.log.kafka..";

	@ArchTest
	static final ArchRule usesThePort = ModuleRules
		.usesOfParleyOnly(ADAPTER, "io.parley.log", "io.parley.log.claim", "io.parley.log.config")
		.because("an adapter stores bytes, and knows no event and no other adapter");

	@ArchTest
	static final ArchRule usesOneClientLibrary = ModuleRules.usesNone(ADAPTER, "org.rocksdb..", "com.rabbitmq..")
		.because("the client libraries of other logs belong to their adapters");

}
