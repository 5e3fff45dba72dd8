package io.parley.log.health;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationListener;

/**
 * Ends the process in order once it is {@linkplain LivenessState#BROKEN broken}, so that
 * Kubernetes, Compose or systemd starts it again. Only a process of its own may have this
 * listener: it ends the JVM.
 */
public final class ExitWhenBroken implements ApplicationListener<AvailabilityChangeEvent<LivenessState>> {

	/** "Try again" among the exit codes of sysexits.h. */
	public static final int EXIT_CODE = 75;

	private static final Logger logger = LoggerFactory.getLogger(ExitWhenBroken.class);

	private final AtomicBoolean ending = new AtomicBoolean();

	@Override
	public void onApplicationEvent(AvailabilityChangeEvent<LivenessState> event) {
		if (event.getState() == LivenessState.BROKEN && !this.ending.getAndSet(true)) {
			logger.error("This process ends with code {}, to be started again by what has started it", EXIT_CODE);
			// On a thread that nothing waits for when the application stops.
			Thread.ofPlatform().name("exit").start(() -> System.exit(EXIT_CODE));
		}
	}

}
