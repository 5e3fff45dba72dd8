package io.parley.loadtest.study.peers;

import java.util.List;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.peers.PeerLoad.Latency;
import io.parley.loadtest.study.server.ProcessUsage.Use;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PeersReportTests {

	private static final Peer BUS = PeerSelection.named(List.of("parley/bus")).getFirst();

	private static final Peer NATS = PeerSelection.named(List.of("nats/core")).getFirst();

	private static final Peer MOSQUITTO = PeerSelection.named(List.of("mosquitto")).getFirst();

	private final PeersReport report = new PeersReport(new PeersCommand());

	@Test
	void saysWhereParleyLosesAndWhereItDoesNot() {
		this.report.add(step(BUS, 4, 0.5, 600, 0, null));
		this.report.add(step(NATS, 5, 0.25, 50, 0, null));
		this.report.add(step(MOSQUITTO, 3.5, 0.6, 10, 0, null));
		Findings findings = this.report.findings();
		assertThat(findings.passed()).isTrue();
		assertThat(findings.verdict()).isEqualTo("peers, nothing was lost, doubled or out of order."
				+ " At 1,000 deliveries/s parley/bus loses in p99 (4 ms; mosquitto 3.50 ms), loses in processor time per"
				+ " delivery (500 µs; nats/core 250 µs), loses in memory (600 MB; mosquitto 10 MB).");
		assertThat(table(findings, "Where Parley loses").rows()).containsExactly(
				List.of("parley/bus", "1,000", "p99", "4 ms", "mosquitto 3.50 ms"),
				List.of("parley/bus", "1,000", "processor time per delivery", "500 µs", "nats/core 250 µs"),
				List.of("parley/bus", "1,000", "memory", "600 MB", "mosquitto 10 MB, nats/core 50 MB"));
	}

	@Test
	void isNotBeatenByAServerThatLosesMessages() {
		this.report.add(step(BUS, 4, 0.5, 600, 0, null));
		this.report.add(step(NATS, 1, 0.1, 10, 7, null));
		this.report.add(step(MOSQUITTO, 5, 0.6, 700, 0, null));
		Findings findings = this.report.findings();
		assertThat(findings.passed()).as("only Parley must not lose messages").isTrue();
		assertThat(findings.verdict())
			.startsWith("peers; nats/core at 1,000 deliveries/s: 7 deliveries lost, 0 doubled, 0 out of order.")
			.endsWith("parley/bus does not lose in p99 (4 ms), does not lose in processor time per delivery (500 µs),"
					+ " does not lose in memory (600 MB).");
		assertThat(findings.parts())
			.noneMatch((part) -> part instanceof Table table && table.title().equals("Where Parley loses"));
	}

	@Test
	void failsWhenParleyLosesMessagesOrIsNotRun() {
		this.report.add(step(BUS, 4, 0.5, 600, 1, null));
		assertThat(this.report.findings().passed()).isFalse();
		PeersReport closed = new PeersReport(new PeersCommand());
		closed.add(step(BUS, 4, 0.5, 600, 0, "closed by the server"));
		assertThat(closed.findings().passed()).isFalse();
		assertThat(closed.findings().verdict()).contains("parley/bus at 1,000 deliveries/s: closed by the server");
		PeersReport missing = new PeersReport(new PeersCommand());
		missing.add(step(NATS, 4, 0.5, 600, 0, null));
		assertThat(missing.findings().passed()).isTrue();
		missing.notRun(BUS, "the jar is missing");
		assertThat(missing.findings().passed()).isFalse();
	}

	@Test
	void demandsTheConfirmationsOfAServerThatConfirms() {
		this.report.add(confirmed(BUS, 0));
		this.report.add(step(NATS, 4, 0.5, 600, 0, null));
		Table table = table(this.report.findings(), "The same load for each");
		assertThat(table.rows()).extracting((row) -> row.get(table.columns().indexOf("unconfirmed")))
			.containsExactly(0L, "");
		assertThat(this.report.findings().passed()).isTrue();
		this.report.add(confirmed(BUS, 2));
		assertThat(this.report.findings().passed()).isFalse();
		assertThat(this.report.findings().verdict()).contains(
				"parley/bus at 1,000 deliveries/s: 0 deliveries lost, 0 doubled, 0 out of order, 2 messages not confirmed.");
	}

	private static PeerStep confirmed(Peer peer, long missing) {
		return new PeerStep(peer, 1000,
				new PeerLoad.Result(1, 2, 1000, List.of(new Latency(1, 2, 4, 9)), 0, 0, 0, missing, 0.1, null),
				new Use(0.5, 0.5, 1024), 7);
	}

	@Test
	void showsWhyAServerWasNotRun() {
		this.report.add(step(BUS, 4, 0.5, 600, 0, null));
		this.report.notRun(NATS, "first line:\nsecond line.");
		this.report.notRun(MOSQUITTO, "first line:\nsecond line.");
		Findings findings = this.report.findings();
		assertThat(findings.passed()).isTrue();
		assertThat(findings.verdict()).contains("; nats/core, mosquitto not run: first line: second line.");
		assertThat(table(findings, "Not run").rows()).containsExactly(List.of("nats/core", "first line: second line."),
				List.of("mosquitto", "first line: second line."));
		Table all = table(findings, "The same load for each");
		assertThat(all.rows()).hasSize(3).allSatisfy((row) -> assertThat(row).hasSameSizeAs(all.columns()));
	}

	@Test
	void showsTheMemoryOfASessionOnlyForManySessions() {
		PeersCommand options = new PeersCommand();
		PeersReport few = new PeersReport(options);
		few.add(step(BUS, 4, 0.5, 600, 0, null));
		options.sessions = 500;
		assertThat(memoryOfASession(few)).isEqualTo(7.0);
		options.sessions = 499;
		assertThat(memoryOfASession(few)).isEqualTo("");
	}

	private static Object memoryOfASession(PeersReport report) {
		Table table = table(report.findings(), "The same load for each");
		return table.rows().getFirst().get(table.columns().indexOf("KB/session"));
	}

	@Test
	void showsThePromisesAndTheStartOfEachServer() {
		this.report.started(NATS, new PeerServer.Start("v2", "nats-server --config nats.conf", "listen: 1"));
		Findings findings = this.report.findings();
		assertThat(table(findings, "Promises").rows())
			.containsExactly(List.of("nats/core", "no, and not confirmed", "each sender", "no"));
		assertThat(table(findings, "How each was started").rows())
			.containsExactly(List.of("nats/core", "v2", "nats-server --config nats.conf", "listen: 1"));
	}

	@Test
	void comparesTheFirstWithTheLastMinute() {
		PeersCommand options = new PeersCommand();
		options.minutes = 3;
		PeersReport three = new PeersReport(options);
		assertThat(three.findings().parts())
			.noneMatch((part) -> part instanceof Table table && table.title().equals("First and last minute"));
		three.add(step(BUS, 4, 0.5, 600, 0, null));
		three.addMinutes(minutes(BUS, 0));
		Findings findings = three.findings();
		assertThat(findings.verdict())
			.endsWith(" The p99 of the first minute of parley/bus is 1.50 times that of minute 3.");
		Table table = table(findings, "First and last minute");
		assertThat(table.rows().getFirst()).hasSameSizeAs(table.columns())
			.startsWith("parley/bus", 1000.0, 1000.0, 2.0, 1.0, 6.0, 4.0, 1.5);
		assertThat(findings.metrics()).anySatisfy((metric) -> {
			assertThat(metric.name()).isEqualTo("parley/bus p99 of the last minute");
			assertThat(metric.value()).isEqualTo(4);
		});
		assertThat(findings.parts()).anySatisfy((part) -> assertThat(part)
			.isEqualTo(new Chart("99th percentile of each minute", new Axis("minute", false), new Axis("p99, ms", true),
					List.of(new Series("parley/bus", List.of(1.0, 2.0, 3.0), List.of(6.0, 9.0, 4.0))))));
		three.addMinutes(minutes(BUS, 5));
		assertThat(three.findings().passed()).as("lost in one of the minutes").isFalse();
	}

	private static PeerStep minutes(Peer peer, long lost) {
		List<Latency> minutes = List.of(new Latency(2, 3, 6, 9), new Latency(3, 4, 9, 9), new Latency(1, 2, 4, 9));
		return new PeerStep(peer, 1000, result(minutes, lost, null), new Use(0.5, 0.5, 1024), 0);
	}

	private static PeerLoad.Result result(List<Latency> minutes, long lost, @Nullable String problem) {
		return new PeerLoad.Result(1, 2, 1000, minutes, lost, 0, 0, null, 0.1, problem);
	}

	private static Table table(Findings findings, String title) {
		return findings.parts()
			.stream()
			.filter(Table.class::isInstance)
			.map(Table.class::cast)
			.filter((table) -> table.title().equals(title))
			.findFirst()
			.orElseThrow();
	}

	private static PeerStep step(Peer peer, double p99, double cores, long megabytes, long lost,
			@Nullable String problem) {
		return new PeerStep(peer, 1000, result(List.of(new Latency(1, 2, p99, 9)), lost, problem),
				new Use(cores, cores, megabytes * 1024), 7);
	}

}
