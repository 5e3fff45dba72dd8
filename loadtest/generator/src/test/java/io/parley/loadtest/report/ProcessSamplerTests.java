package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Table;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@EnabledOnOs(OS.LINUX)
class ProcessSamplerTests {

	private static final double MIB_OF_CHILD = 150;

	private final ProcessSampler sampler = ProcessSampler.start();

	@AfterEach
	void close() {
		this.sampler.close();
	}

	@Test
	void seesAChildProcessItsMemoryAndItsEnd() throws Exception {
		Process child = child();
		try {
			this.sampler.watch("child", child.pid(), HeapSource.NONE);
			await(() -> assertThat(row("child").get(4)).as("memory")
				.asInstanceOf(InstanceOfAssertFactories.DOUBLE)
				.isBetween(MIB_OF_CHILD, 2000.0));
			assertThat(row("child").get(8)).as("threads").asInstanceOf(InstanceOfAssertFactories.LONG).isGreaterThan(3);
			assertThat(row("child").get(10)).as("open files")
				.asInstanceOf(InstanceOfAssertFactories.LONG)
				.isGreaterThan(3);
			assertThat(table().note()).isEmpty();
		}
		finally {
			child.destroyForcibly().waitFor();
		}
		await(() -> assertThat(table().note()).matches("The child ended after \\d+ s\\."));
	}

	@Test
	void seesWhatThisProcessNeeds() {
		await(() -> assertThat(row("generator").get(5)).as("heap")
			.asInstanceOf(InstanceOfAssertFactories.DOUBLE)
			.isPositive());
		await(() -> {
			burn();
			assertThat(row("generator").get(2)).as("cores")
				.asInstanceOf(InstanceOfAssertFactories.DOUBLE)
				.isBetween(0.1, 1000.0);
		});
		assertThat(this.sampler.parts()).filteredOn(Chart.class::isInstance)
			.extracting((chart) -> ((Chart) chart).title())
			.containsExactly("Processor", "Resident memory", "Heap in use", "Threads", "Open files");
	}

	@Test
	void readsTheHeapOfAJvmByJcmd() throws Exception {
		Process child = child();
		try {
			await(() -> assertThat(new Jcmd(child.pid()).usedBytes()).isGreaterThan(MIB_OF_CHILD * 1024 * 1024));
		}
		finally {
			child.destroyForcibly().waitFor();
		}
	}

	@Test
	void drawsServersOfAKindThatARunStartsAsOneLineWithNothingBetweenThem() throws Exception {
		for (int n = 1; n <= 2; n++) {
			Process child = child();
			Runnable stop = ProcessSampler.started("child", child.pid(), HeapSource.NONE);
			int before = memory("child").size();
			await(() -> assertThat(memory("child")).hasSizeGreaterThan(before));
			stop.run();
			child.destroyForcibly().waitFor();
		}
		assertThat(table().rows()).extracting(List::getFirst).containsExactly("generator", "child");
		assertThat(table().note()).isEqualTo("child: 2 processes, one after the other.");
		assertThat(memory("child")).containsSubsequence(0.0, 0.0).first().isNotEqualTo(0.0);
		assertThat(memory("child").getLast()).isPositive();
	}

	@Test
	void seesWhatAProcessDoesInItsChildren() throws Exception {
		Process parent = new ProcessBuilder("sh", "-c", "while :; do :; done & wait").start();
		try {
			ProcessSampler.started("parent", parent.pid(), HeapSource.NONE);
			await(() -> assertThat(row("parent").get(2)).as("cores")
				.asInstanceOf(InstanceOfAssertFactories.DOUBLE)
				.isBetween(0.1, 1.5));
		}
		finally {
			parent.descendants().forEach(ProcessHandle::destroyForcibly);
			parent.destroyForcibly().waitFor();
		}
	}

	@Test
	void refusesAProcessThatIsNotThere() throws Exception {
		Process child = new ProcessBuilder("true").start();
		child.waitFor();
		assertThatExceptionOfType(LoadTestException.class)
			.isThrownBy(() -> this.sampler.watch("child", child.pid(), HeapSource.NONE))
			.withMessageContaining("has the child ended?");
	}

	private static Process child() throws Exception {
		Path classes = Path.of(Child.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx300m",
				"-XX:+UseSerialGC", "-cp", classes.toString(), Child.class.getName())
			.start();
	}

	private static void burn() {
		long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
		while (System.nanoTime() < end) {
			Thread.onSpinWait();
		}
	}

	private static void await(ThrowingRunnable assertion) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion);
	}

	private Table table() {
		return (Table) this.sampler.parts().getFirst();
	}

	private List<Double> memory(String process) {
		Chart chart = (Chart) this.sampler.parts().get(2);
		return chart.series()
			.stream()
			.filter((line) -> line.name().equals(process))
			.flatMap((line) -> line.y().stream())
			.toList();
	}

	private List<Object> row(String process) {
		return table().rows().stream().filter((row) -> row.getFirst().equals(process)).findFirst().orElseThrow();
	}

	/**
	 * Holds memory until its parent stops it, or ends by itself.
	 */
	static final class Child {

		private Child() {
		}

		public static void main(String[] args) throws IOException {
			byte[] held = new byte[(int) MIB_OF_CHILD * 1024 * 1024];
			Arrays.fill(held, (byte) 1);
			System.exit(System.in.read() + held[0]);
		}

	}

}
