package io.parley.loadtest.study.modes;

import java.util.List;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.study.Eta;
import io.parley.loadtest.study.Study;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest modes}: applies the same load to each mode, one after the other.
 */
@Command(name = "modes",
		description = "Starts a server of each broker mode, and the textbook's, one after the other, and applies the"
				+ " same load to each. Also starts the brokers; RabbitMQ needs Docker.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class ModesCommand extends StudyCommand {

	@Mixin
	private final ModesOptions options = new ModesOptions();

	@Override
	protected Study study() {
		this.options.check();
		List<Mode> modes = Mode.named(this.options.only);
		ModesFindings found = new ModesFindings(this.options);
		return new Study(() -> run(modes, found), found::get);
	}

	private void run(List<Mode> modes, ModesFindings found) {
		Eta eta = new Eta(modes.size(), this.options.expected());
		for (Mode mode : modes) {
			eta.next(mode.name());
			run(mode, found);
		}
	}

	private void run(Mode mode, ModesFindings found) {
		try (Bench bench = new Bench(mode, this.options)) {
			Step good = null;
			Step last = null;
			for (double rate : this.options.rates) {
				last = bench.measure(rate);
				found.add(last);
				good = last.isGood() ? last : good;
				if (!last.result().passed()) {
					// The server did not hold the load, so its state is unknown: measure
					// no further rate with it.
					break;
				}
			}
			if (last != null && !last.isGood()) {
				found.ceiling(mode, good, last);
			}
			else if (last != null && this.options.ceiling) {
				findCeiling(bench, last, found);
			}
		}
		catch (RefusedException ex) {
			Interrupt.check();
			System.out.println("Not run: " + ex.getMessage());
			found.notRun(mode, ex.getMessage());
		}
	}

	private static void findCeiling(Bench bench, Step first, ModesFindings found) {
		Step good = first;
		Step next = bench.measure(2 * good.rate());
		while (next.isGood()) {
			found.addAbove(next);
			good = next;
			next = bench.measure(2 * good.rate());
		}
		found.addAbove(next);
		found.ceiling(next.mode(), good, next);
	}

}
