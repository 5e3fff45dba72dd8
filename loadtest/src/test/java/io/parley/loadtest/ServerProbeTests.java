package io.parley.loadtest;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerProbeTests {

	@Test
	void measuresThisProcess() {
		ServerProbe probe = new ServerProbe(ProcessHandle.current().pid());
		assertThat(probe.liveHeapKb()).isBetween(1024L, 1024L * 1024);
		assertThat(probe.residentKb()).isGreaterThan(probe.liveHeapKb());
	}

	@Test
	void addsUpGenerationsAndLeavesMetaspaceOut() {
		assertThat(ServerProbe.usedKb("""
				 def new generation   total 9792K, used 1000K [0x1, 0x2)
				  eden space 8704K,  30% used [0x1, 0x2)
				 tenured generation   total 21888K, used 2000K [0x1, 0x2)
				 Metaspace       used 4000K, committed 4096K
				""")).isEqualTo(3000);
		assertThat(ServerProbe.usedKb(" ZHeap  used 64M, capacity 128M\n Metaspace used 9K")).isEqualTo(64 * 1024);
	}

}
