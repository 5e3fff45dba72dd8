package io.parley.loadtest.study.separation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.fakefcm.Counts;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.study.Eta;
import io.parley.loadtest.study.Study;
import io.parley.loadtest.study.StudyCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest separation}: compares storage and pushes by workers behind the
 * log with both on the path of a message.
 */
@Command(name = "separation",
		description = "Sends the same messages to two servers: one that stores each message and calls FCM for each"
				+ " offline member before it forwards it, and Parley, where workers do both behind the log. FCM is the"
				+ " kit's fake.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class SeparationCommand extends StudyCommand {

	private static final Duration PUSH_TIMEOUT = Duration.ofSeconds(60);

	@Mixin
	private final SeparationOptions options = new SeparationOptions();

	@Override
	protected Study study() {
		this.options.check();
		SeparationFindings found = new SeparationFindings(this.options);
		return new Study(() -> run(found), found::get);
	}

	private void run(SeparationFindings found) {
		Eta eta = new Eta(Variant.Design.values().length, this.options.expected());
		for (Variant.Design design : Variant.Design.values()) {
			eta.next(design.title);
			try (Variant variant = new Variant(design, this.options)) {
				run(variant, found);
			}
		}
	}

	private void run(Variant variant, SeparationFindings found) {
		variant.warmUp();
		for (double rate : this.options.rates) {
			Step step = variant.measure(rate);
			found.add(step);
			if (step.isBehind()) {
				System.out.println("The server does not keep up; higher rates are skipped.");
				return;
			}
		}
		found.pushed(awaitPushes(variant));
	}

	/**
	 * Waits for the pushes of the workers, which follow the messages with a delay.
	 */
	private Counts awaitPushes(Variant variant) {
		long end = System.nanoTime() + PUSH_TIMEOUT.toNanos();
		while (variant.pushes().distinctTokens() < this.options.rooms * this.options.away
				&& System.nanoTime() - end < 0) {
			Interrupt.check();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
		}
		return variant.pushes();
	}

}
