package io.parley.loadtest.idle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.MeasuresPart;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import sun.misc.Signal;
import sun.misc.SignalHandler;
import tools.jackson.databind.json.JsonMapper;

/**
 * One of several processes that generate the load of a trial, started by
 * {@link DistributedLoad}. It reads its plan and then the steps, one per line, and
 * reports the completion of each. It ends at the end of its input, so it cannot outlive
 * the process that started it.
 */
@Command(name = GeneratorCommand.NAME, hidden = true)
public final class GeneratorCommand implements Callable<Integer> {

	static final String NAME = "generator";

	static final String CONNECT = "connect";

	static final String HOLD = "hold";

	static final String LEAVE = "leave";

	static final String INTERRUPT = "interrupt";

	private static final JsonMapper JSON = JsonMapper.shared();

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private final Measures measures = new Measures();

	private final MeasuresPart.Reader reader = new MeasuresPart.Reader(this.measures);

	private final PrintStream reports = System.out;

	/**
	 * A report that the process sends about once a second, when it is ready for the
	 * steps, and at the end of each step.
	 *
	 * @param part the measurements since the last report
	 * @param done the result of a step that has ended; null in all other reports
	 */
	record Report(MeasuresPart part, Generator.Heap heap, IdleLoad.@Nullable Hold done) {
	}

	@Override
	public Integer call() throws InterruptedException {
		// Ctrl-C reaches all processes of a terminal. The parent process decides what to
		// do.
		Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
		System.setOut(new PrintStream(OutputStream.nullOutputStream()));
		Thread.ofPlatform().daemon().name("steps").start(this::listen);
		GeneratorPlan plan = JSON.readValue(this.lines.take(), GeneratorPlan.class);
		try (LocalLoad load = new LocalLoad(plan.options(), plan.run(), this.measures, plan.delay());
				ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
			clock.scheduleAtFixedRate(() -> report(null), 1, 1, TimeUnit.SECONDS);
			List<Account> accounts = plan.accounts();
			report(IdleLoad.Hold.NONE);
			while (true) {
				report(runStep(this.lines.take(), load, accounts));
			}
		}
	}

	private static IdleLoad.Hold runStep(String step, LocalLoad load, List<Account> accounts) {
		switch (step) {
			case CONNECT -> load.connect(accounts);
			case HOLD -> {
				return load.hold();
			}
			case LEAVE -> load.leave();
			default -> throw new IllegalArgumentException("no step: " + step);
		}
		return IdleLoad.Hold.NONE;
	}

	private void listen() {
		try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				if (line.equals(INTERRUPT)) {
					Interrupt.request();
				}
				else {
					this.lines.add(line);
				}
			}
		}
		catch (IOException ex) {
			System.err.println(ex);
		}
		finally {
			Runtime.getRuntime().halt(0);
		}
	}

	private synchronized void report(IdleLoad.@Nullable Hold done) {
		this.reports.println(JSON.writeValueAsString(new Report(this.reader.next(), Generator.heap(), done)));
		this.reports.flush();
	}

}
