package io.parley.log.health;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationListener;

/**
 * Shuts the process down in an orderly way once it is {@linkplain LivenessState#BROKEN
 * broken}, so that Kubernetes, Compose or systemd restarts it. Use this listener only in
 * a process of its own, because it ends the JVM.
 */
public final class ExitWhenBroken implements ApplicationListener<AvailabilityChangeEvent<LivenessState>> {

	/** The exit code EX_TEMPFAIL of sysexits.h: a temporary failure, try again. */
	public static final int EXIT_CODE = 75;

	private static final Logger logger = LoggerFactory.getLogger(ExitWhenBroken.class);

	private final AtomicBoolean ending = new AtomicBoolean();

	@Override
	public void onApplicationEvent(AvailabilityChangeEvent<LivenessState> event) {
		if (event.getState() == LivenessState.BROKEN && !this.ending.getAndSet(true)) {
			logger.error("This process ends with code {}; its supervisor is expected to restart it", EXIT_CODE);
			// A separate thread, which the shutdown of the application does not wait for.
			Thread.ofPlatform().name("exit").start(() -> System.exit(EXIT_CODE));
		}
	}

}
