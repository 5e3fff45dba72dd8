package io.parley.loadtest.study.peers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.study.Findings;
import org.jspecify.annotations.Nullable;

/**
 * Collects the results of each server.
 */
final class PeersReport {

	private static final List<String> COLUMNS = List.of("server", "asked/s", "got/s", "p50 ms", "p90", "p99", "max",
			"lost", "doubled", "disordered", "unconfirmed", "server cores", "µs/delivery", "server MB", "KB/session",
			"generator cores");

	private static final List<Measure> MEASURES = List.of(
			new Measure("p99", "ms", (step) -> step.result().latency().p99()),
			new Measure("processor time per delivery", "µs", PeerStep::microsPerDelivery),
			new Measure("memory", "MB", (step) -> Figures.megabytes(step.server().residentKb())));

	/** With fewer sessions, memory for other purposes would dominate the result. */
	private static final int MIN_SESSIONS_FOR_MEMORY = 500;

	private final List<PeerStep> steps = new ArrayList<>();

	/** The results of {@code --minutes}. */
	private final List<PeerStep> minutes = new ArrayList<>();

	private final Map<Peer, PeerServer.Start> started = new LinkedHashMap<>();

	private final Map<Peer, String> notRun = new LinkedHashMap<>();

	private final PeersCommand options;

	/**
	 * What servers are compared by. Lower values are better.
	 */
	private record Measure(String name, String unit, ToDoubleFunction<PeerStep> value) {

		double of(PeerStep step) {
			return this.value.applyAsDouble(step);
		}

		String text(PeerStep step) {
			return "%s %s".formatted(Figures.text(Figures.cents(of(step))), this.unit);
		}

	}

	PeersReport(PeersCommand options) {
		this.options = options;
	}

	void started(Peer peer, PeerServer.Start start) {
		this.started.put(peer, start);
	}

	void add(PeerStep step) {
		this.steps.add(step);
	}

	/**
	 * Adds the result of a server that got one rate for several minutes.
	 */
	void addMinutes(PeerStep step) {
		this.minutes.add(step);
	}

	void notRun(Peer peer, @Nullable String reason) {
		this.notRun.put(peer, String.join(" ", String.valueOf(reason).lines().toList()));
	}

	Findings findings() {
		List<PeerStep> bad = Stream.concat(this.steps.stream(), this.minutes.stream())
			.filter((step) -> !step.result().isWhole())
			.toList();
		// That another server loses messages is a result; Parley must not.
		boolean passed = !this.steps.isEmpty() && bad.stream().noneMatch((step) -> step.peer().isParley())
				&& this.notRun.keySet().stream().noneMatch(Peer::isParley);
		Findings findings = new Findings("Parley and other servers: %,d sessions in %,d rooms, messages of %,d bytes"
			.formatted(this.options.sessions, this.options.rooms, this.options.bytes), passed, verdict(bad));
		findings.table("The same load for each", COLUMNS, rows(),
				"From the scheduled time of each send to each delivery. Lost, doubled and disordered include the"
						+ " warm-up. Unconfirmed: messages without a confirmation, where the server confirms them."
						+ " Server MB: resident memory. KB/session: resident memory with all sessions above"
						+ " that of the server without any (a JVM has reserved much of it before); for 500 sessions or more."
						+ " The generator shares the cores with the server. Before the first measurement it sent"
						+ " to each server once to warm up, and these servers were thrown away.");
		if (!this.notRun.isEmpty()) {
			findings.table("Not run", List.of("server", "reason"),
					this.notRun.entrySet()
						.stream()
						.map((one) -> List.<Object>of(one.getKey().name(), one.getValue()))
						.toList(),
					"");
		}
		if (!this.minutes.isEmpty()) {
			minutes(findings);
		}
		if (!losses().isEmpty()) {
			findings.table("Where Parley loses",
					List.of("server", "at deliveries/s", "measure", "Parley", "better ones"), losses(),
					"At the rates that both were measured at. A server that lost messages is not better.");
		}
		findings.table("Promises", List.of("server", "stored before confirmed", "in order for", "resumed after a cut"),
				promises(), "In the configuration of this run.");
		findings.table("How each was started", List.of("server", "version", "command", "configuration"), starts(), "");
		findings.chart("99th percentile", new Axis("deliveries asked per second", true), new Axis("p99, ms", true),
				series());
		metrics(findings);
		return findings;
	}

	/**
	 * Adds what the servers did in the first and in the last minute.
	 */
	private void minutes(Findings findings) {
		int last = this.options.minutes;
		findings.table("First and last minute",
				List.of("server", "asked/s", "got/s", "p50 ms, minute 1", "p50 ms, minute " + last, "p99 ms, minute 1",
						"p99 ms, minute " + last, "p99, minute 1 / "
								+ last,
						"lost", "doubled", "disordered", "server cores", "server MB"),
				this.minutes.stream().map(this::minuteRow).toList(),
				("Each server was started again for this and got the highest rate for %d minutes, without a warm-up: its"
						+ " sessions had only connected. The generator was warm. A message belongs to the minute in which"
						+ " its send was due.")
					.formatted(last));
		findings.chart("99th percentile of each minute", new Axis("minute", false), new Axis("p99, ms", true),
				this.minutes.stream().map(PeersReport::minuteSeries).toList());
	}

	private List<Object> minuteRow(PeerStep step) {
		PeerLoad.Result result = step.result();
		PeerLoad.Latency last = result.minutes().getLast();
		return List.of(step.peer().name(), step.asked(), Figures.whole(result.perSecond()),
				Figures.cents(result.latency().p50()), Figures.cents(last.p50()), Figures.cents(result.latency().p99()),
				Figures.cents(last.p99()), Figures.cents(step.firstToLastMinute()), result.lost(), result.doubled(),
				result.disordered(), Figures.cents(step.server().cores()),
				Figures.megabytes(step.server().residentKb()));
	}

	private static Series minuteSeries(PeerStep step) {
		List<PeerLoad.Latency> minutes = step.result().minutes();
		return Findings.series(step.peer().name(), IntStream.range(0, minutes.size()).boxed().toList(), (n) -> n + 1.0,
				(n) -> minutes.get(n).p99());
	}

	private void metrics(Findings findings) {
		this.steps.forEach((step) -> {
			String name = "%s at %.0f/s ".formatted(step.peer().name(), step.asked());
			findings.lower(name + "p99", step.result().latency().p99(), "ms")
				.lower(name + "processor time per delivery", step.microsPerDelivery(), "µs")
				.higher(name + "delivered", step.result().perSecond(), "1/s");
		});
		this.minutes.forEach((step) -> {
			String name = step.peer().name() + " p99 of the ";
			findings.lower(name + "first minute", step.result().latency().p99(), "ms")
				.lower(name + "last minute", step.result().minutes().getLast().p99(), "ms");
		});
	}

	private String verdict(List<PeerStep> bad) {
		StringBuilder verdict = new StringBuilder("peers");
		if (bad.isEmpty() && !this.steps.isEmpty()) {
			verdict.append(", nothing was lost, doubled or out of order");
		}
		bad.forEach((step) -> verdict.append("; ").append(step.failure()));
		notRunByReason().forEach((reason, names) -> verdict.append("; %s not run: %s".formatted(names,
				reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason)));
		verdict.append('.');
		sentences().forEach((sentence) -> verdict.append(' ').append(sentence));
		this.minutes.forEach((step) -> verdict
			.append(" The p99 of the first minute of %s is %s times that of minute %d.".formatted(step.peer().name(),
					Figures.text(Figures.cents(step.firstToLastMinute())), this.options.minutes)));
		if (Stream.concat(this.steps.stream(), this.minutes.stream())
			.anyMatch((step) -> Generator.isSaturated(step.result().cores()))) {
			verdict.append(" Generator: ").append(Generator.SATURATED);
		}
		return verdict.toString();
	}

	/**
	 * Returns the names of the servers for each reason: the variants of a server that is
	 * not installed have the same one.
	 */
	private Map<String, String> notRunByReason() {
		return this.notRun.entrySet()
			.stream()
			.collect(Collectors.groupingBy(Map.Entry::getValue, LinkedHashMap::new,
					Collectors.mapping((one) -> one.getKey().name(), Collectors.joining(", "))));
	}

	private List<List<Object>> rows() {
		List<List<Object>> rows = new ArrayList<>(this.steps.stream().map(this::row).toList());
		this.notRun.keySet().forEach((peer) -> {
			List<Object> row = new ArrayList<>(Collections.nCopies(COLUMNS.size(), ""));
			row.set(0, peer.name());
			row.set(1, "not run");
			rows.add(row);
		});
		return rows;
	}

	private List<Object> row(PeerStep step) {
		PeerLoad.Result result = step.result();
		return List.of(step.peer().name(), step.asked(), Figures.whole(result.perSecond()),
				Figures.cents(result.latency().p50()), Figures.cents(result.latency().p90()),
				Figures.cents(result.latency().p99()), Figures.cents(result.latency().max()), result.lost(),
				result.doubled(), result.disordered(), (result.unconfirmed() != null) ? result.unconfirmed() : "",
				Figures.cents(step.server().cores()), Figures.cents(step.microsPerDelivery()),
				Figures.megabytes(step.server().residentKb()),
				(this.options.sessions >= MIN_SESSIONS_FOR_MEMORY) ? Figures.cents(step.sessionKb()) : "",
				Figures.cents(result.cores()));
	}

	/**
	 * Returns a sentence for each measure at the highest rate at which Parley and another
	 * server were measured: where Parley loses, and where it does not.
	 */
	private List<String> sentences() {
		return this.steps.stream()
			.filter((step) -> step.peer().isParley() && !others(step).isEmpty())
			.filter((step) -> this.steps.stream()
				.noneMatch((other) -> other.peer().equals(step.peer()) && other.asked() > step.asked()
						&& !others(other).isEmpty()))
			.map((step) -> "At %,.0f deliveries/s %s %s.".formatted(step.asked(), step.peer().name(),
					MEASURES.stream().map((measure) -> comparison(measure, step)).collect(Collectors.joining(", "))))
			.toList();
	}

	private String comparison(Measure measure, PeerStep parley) {
		return best(measure, parley)
			.map((best) -> "loses in %s (%s; %s %s)".formatted(measure.name(), measure.text(parley), best.peer().name(),
					measure.text(best)))
			.orElseGet(() -> "does not lose in %s (%s)".formatted(measure.name(), measure.text(parley)));
	}

	/**
	 * Returns the best one of the other servers if it is better than Parley.
	 */
	private Optional<PeerStep> best(Measure measure, PeerStep parley) {
		return others(parley).stream()
			.filter((other) -> measure.of(other) < measure.of(parley))
			.min(Comparator.comparingDouble(measure::of));
	}

	/**
	 * Returns the whole results of other servers at the same rate.
	 */
	private List<PeerStep> others(PeerStep parley) {
		return this.steps.stream()
			.filter((step) -> !step.peer().isParley() && step.asked() == parley.asked() && step.result().isWhole())
			.toList();
	}

	private List<List<Object>> losses() {
		List<List<Object>> rows = new ArrayList<>();
		this.steps.stream().filter((step) -> step.peer().isParley()).forEach((step) -> MEASURES.forEach((measure) -> {
			String better = others(step).stream()
				.filter((other) -> measure.of(other) < measure.of(step))
				.sorted(Comparator.comparingDouble(measure::of))
				.map((other) -> "%s %s".formatted(other.peer().name(), measure.text(other)))
				.collect(Collectors.joining(", "));
			if (!better.isEmpty()) {
				rows.add(List.of(step.peer().name(), String.format(Locale.ROOT, "%,.0f", step.asked()), measure.name(),
						measure.text(step), better));
			}
		}));
		return rows;
	}

	private List<List<Object>> promises() {
		return this.started.keySet()
			.stream()
			.map((peer) -> List.<Object>of(peer.name(), peer.promises().stored(), peer.promises().ordered(),
					peer.promises().resumed()))
			.toList();
	}

	private List<List<Object>> starts() {
		return this.started.entrySet()
			.stream()
			.map((one) -> List.<Object>of(one.getKey().name(), one.getValue().version(), one.getValue().command(),
					one.getValue().configuration()))
			.toList();
	}

	private List<Series> series() {
		return this.steps.stream()
			.collect(Collectors.groupingBy((step) -> step.peer().name(), LinkedHashMap::new, Collectors.toList()))
			.entrySet()
			.stream()
			.map((entry) -> Findings.series(entry.getKey(), entry.getValue(), PeerStep::asked,
					(step) -> step.result().latency().p99()))
			.toList();
	}

}
