package io.parley.loadtest.study.peers;

import java.util.concurrent.TimeUnit;

import io.parley.loadtest.study.server.ProcessUsage.Use;

/**
 * The result of one server at one rate.
 *
 * @param asked deliveries per second
 * @param server the use of its process within the measured time
 * @param sessionKb resident memory in KB that each session has added
 */
record PeerStep(Peer peer, double asked, PeerLoad.Result result, Use server, double sessionKb) {

	/**
	 * Returns the processor time of the server for each delivery.
	 */
	double microsPerDelivery() {
		return (this.result.perSecond() > 0)
				? this.server.cores() * TimeUnit.SECONDS.toMicros(1) / this.result.perSecond() : 0;
	}

	/**
	 * Returns the p99 of the first minute, divided by that of the last one.
	 */
	double firstToLastMinute() {
		double last = this.result.minutes().getLast().p99();
		return (last > 0) ? this.result.latency().p99() / last : 0;
	}

	String failure() {
		String problem = this.result.problem();
		return "%s at %,.0f deliveries/s: %s".formatted(this.peer.name(), this.asked,
				(problem != null) ? problem
						: "%,d deliveries lost, %,d doubled, %,d out of order%s".formatted(this.result.lost(),
								this.result.doubled(), this.result.disordered(), (this.result.unconfirmed() != null)
										? ", %,d messages not confirmed".formatted(this.result.unconfirmed()) : ""));
	}

}
