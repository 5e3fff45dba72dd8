package io.parley.loadtest.study.pipeline;

import java.util.List;

/**
 * Results of the document that this study repeats, from other hardware and without
 * storage of the messages.
 *
 * @param cells in the format of the table of passages
 */
record Seed(double messages, double sendSeconds, List<Object> cells) {

	static final Seed ONE = new Seed(1e6, 98, List.of("ActiveMQ 5.7, 1 sender, JMeter, other hardware", 1_000_000L,
			98.0, 10_204.0, "", 100.0, 10_000.0, "", "", 0L, 5.0, "", "", "", ""));

	static final Seed PAIRS = new Seed(1e8, 15_636,
			List.of("ActiveMQ 5.7, 200 senders, 200 receivers, other hardware", 100_000_000L, 15_636.0, 6_260.0, "",
					16_138.0, 6_236.0, "", "", 2_509L, 10.65, 35.0, "below 1,000", "", ""));

}
