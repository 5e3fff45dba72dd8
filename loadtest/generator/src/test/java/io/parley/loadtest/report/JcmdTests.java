package io.parley.loadtest.report;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JcmdTests {

	private static final long KIB = 1024;

	@Test
	void addsUpGenerationsAndLeavesMetaspaceOut() {
		assertThat(Jcmd.usedHeap("""
				 def new generation   total 9792K, used 1000K [0x1, 0x2)
				  eden space 8704K,  30% used [0x1, 0x2)
				 tenured generation   total 21888K, used 2000K [0x1, 0x2)
				 Metaspace       used 4000K, committed 4096K
				""")).isEqualTo(3000 * KIB);
		assertThat(Jcmd.usedHeap("Shenandoah Heap\n 512M max, 512M soft max, 200M committed, 63M used\n"))
			.isEqualTo(63 * KIB * KIB);
		assertThat(Jcmd.usedHeap(" ZHeap  used 64M, capacity 128M\n Metaspace used 9K")).isEqualTo(64 * KIB * KIB);
	}

}
