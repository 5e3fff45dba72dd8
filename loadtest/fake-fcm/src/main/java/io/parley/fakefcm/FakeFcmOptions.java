package io.parley.fakefcm;

import java.time.Duration;

/**
 * Settings of a fake FCM.
 *
 * @param port where messages are taken; 0 for a free one
 * @param controlPort where tokens are given and the fake is controlled; 0 for a free one
 * @param latency between a request and its answer
 * @param maxConcurrentStreams of one connection, as FCM has a limit too
 */
public record FakeFcmOptions(int port, int controlPort, Duration latency, int maxConcurrentStreams) {

	/** Free ports, no latency, 100 streams. */
	public static FakeFcmOptions defaults() {
		return new FakeFcmOptions(0, 0, Duration.ZERO, 100);
	}

	/** The same with another latency. */
	public FakeFcmOptions withLatency(Duration value) {
		return new FakeFcmOptions(this.port, this.controlPort, value, this.maxConcurrentStreams);
	}

	/** The same with other ports. */
	public FakeFcmOptions withPorts(int messages, int control) {
		return new FakeFcmOptions(messages, control, this.latency, this.maxConcurrentStreams);
	}

	/** The same with another limit. */
	public FakeFcmOptions withMaxConcurrentStreams(int value) {
		return new FakeFcmOptions(this.port, this.controlPort, this.latency, value);
	}

}
