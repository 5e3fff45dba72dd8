package io.parley.fakefcm;

import java.time.Duration;

/**
 * Settings of a fake FCM.
 *
 * @param port the port for messages; 0 for a free one
 * @param controlPort the port for access tokens and control; 0 for a free one
 * @param latency the time between a request and its answer
 * @param maxConcurrentStreams the limit of one connection; FCM has such a limit, too
 */
public record FakeFcmOptions(int port, int controlPort, Duration latency, int maxConcurrentStreams) {

	/**
	 * Returns free ports, no latency and 100 streams.
	 */
	public static FakeFcmOptions defaults() {
		return new FakeFcmOptions(0, 0, Duration.ZERO, 100);
	}

	/**
	 * Returns a copy with another latency.
	 */
	public FakeFcmOptions withLatency(Duration value) {
		return new FakeFcmOptions(this.port, this.controlPort, value, this.maxConcurrentStreams);
	}

	/**
	 * Returns a copy with other ports.
	 */
	public FakeFcmOptions withPorts(int messages, int control) {
		return new FakeFcmOptions(messages, control, this.latency, this.maxConcurrentStreams);
	}

	/**
	 * Returns a copy with another limit of concurrent streams.
	 */
	public FakeFcmOptions withMaxConcurrentStreams(int value) {
		return new FakeFcmOptions(this.port, this.controlPort, this.latency, value);
	}

}
