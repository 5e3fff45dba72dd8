package io.parley.loadtest.measure;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerProbeTests {

	@Test
	void measuresThisProcess() {
		ServerProbe probe = new ServerProbe(ProcessHandle.current().pid());
		assertThat(probe.liveHeapKb()).isBetween(1024L, 1024L * 1024);
		assertThat(probe.residentKb()).isGreaterThan(probe.liveHeapKb());
	}

}
