package io.parley.loadtest.study.pipeline;

import java.net.URI;
import java.util.List;

import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.study.server.ProcessWatch;
import io.parley.loadtest.study.server.ProcessWatch.Use;

/**
 * The result of messages sent through a new server.
 *
 * @param title the senders and receivers
 * @param server resource use of its process from the first message to the last delivery
 */
record Passage(String title, int pairs, PairResult result, Use server, JvmMeters.Most jvm) {

	private static final List<String> SETTINGS = List.of("chat.broker.mode=bus", "chat.security.jwt.access-ttl=3h",
			"chat.history.page=1000");

	/**
	 * Runs one sender with one receiver.
	 */
	static Passage ofOne(PipelineOptions options) {
		return run("1 sender, 1 receiver, %,d messages".formatted(options.messages), 1, options.messages,
				options.window, options);
	}

	/**
	 * Runs many senders, each with a separate receiver, for some time.
	 */
	static Passage ofPairs(PipelineOptions options) {
		return run("%,d senders, %,d receivers, %,d s".formatted(options.pairs, options.pairs,
				options.duration.toSeconds()), options.pairs, 0, options.pairWindow, options);
	}

	private static Passage run(String title, int pairs, long messages, int window, PipelineOptions options) {
		try (LocalServer server = LocalServer.start(Checkout.chatServer(), List.of(), SETTINGS)) {
			URI metrics = server.managementUrl().resolve("/actuator/prometheus");
			// With a fixed number of messages there is no time limit.
			PairPlan plan = new PairPlan(server.url(), metrics, pairs, messages,
					(messages > 0) ? options.settle.plusDays(1) : options.duration, window, options.settle);
			try (PairTraffic traffic = new PairTraffic(plan);
					ProcessWatch watch = ProcessWatch.of(server.pid());
					JvmMeters meters = new JvmMeters(metrics)) {
				PairResult result = traffic.run();
				return new Passage(title, pairs, result, watch.between(result.from(), result.to()), meters.most());
			}
		}
	}

}
