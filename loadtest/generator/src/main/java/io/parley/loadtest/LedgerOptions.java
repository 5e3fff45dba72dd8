package io.parley.loadtest;

import java.net.URI;
import java.time.Duration;

import io.parley.loadtest.cli.Span;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of {@code ledger}.
 */
final class LedgerOptions {

	@Mixin
	Target target = new Target();

	@Option(names = "--rooms", description = "Group rooms. Default: ${DEFAULT-VALUE}")
	int rooms = 12;

	@Option(names = "--users",
			description = "Users, each with one session that sends and follows its room. Default: ${DEFAULT-VALUE}")
	int users = 60;

	@Option(names = "--rate", description = "Messages a second over all users. Default: ${DEFAULT-VALUE}")
	double rate = 500;

	@Option(names = "--duration", converter = Span.class, description = "How long to send, as 30s or 5m. Default: 30s")
	Duration duration = Duration.ofSeconds(30);

	@Option(names = "--settle", converter = Span.class,
			description = "How long to wait afterwards for each of receipts, the reader and deliveries. Default:"
					+ " 120s")
	Duration settle = Duration.ofSeconds(120);

	@Option(names = "--persistence",
			description = "Metrics of the persistence-worker, such as http://host:9090/actuator/prometheus:"
					+ " compare when it has stored all messages. Default: compare as soon as all are confirmed")
	@Nullable URI persistence;

}
