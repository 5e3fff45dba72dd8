package io.parley.loadtest.study.separation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.fakefcm.Counts;
import io.parley.fakefcm.FakeFcm;
import io.parley.fakefcm.FakeFcmOptions;
import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.idle.Trials;
import io.parley.loadtest.idle.Trials.Load;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.local.ScratchFolder;
import io.parley.loadtest.study.server.LocalBaseline;

/**
 * A new server of one of the designs, with its own fake FCM.
 */
final class Variant implements AutoCloseable {

	/**
	 * The compared designs.
	 */
	enum Design {

		/** The database and FCM on the path of the message. */
		INLINE("inline"),
		/** The log on the path, and workers behind it. */
		LOG("log and workers");

		final String title;

		Design(String title) {
			this.title = title;
		}

	}

	private final List<AutoCloseable> open = new ArrayList<>();

	private final SeparationOptions options;

	private final Design design;

	private final FakeFcm fcm;

	private final Trials trials;

	private final RoomsAway away;

	/**
	 * Starts the fake FCM and the server.
	 */
	Variant(Design design, SeparationOptions options) {
		this.design = design;
		this.options = options;
		try {
			Path folder = register(new ScratchFolder()).path();
			this.fcm = register(
					FakeFcm.start(FakeFcmOptions.defaults().withLatency(Duration.ofMillis(options.fcmLatency))));
			List<String> trust = List
				.of("spring.ssl.bundle.pem.fcm.truststore.certificate=file:" + this.fcm.trustCertificateFile(folder));
			if (design == Design.INLINE) {
				LocalBaseline inline = register(LocalBaseline.start(join(trust, "spring.profiles.active=inline",
						"inline.fcm.access-token=fake-access-inline", "inline.fcm.endpoint=" + this.fcm.endpoint())));
				this.trials = Trials.atPlain(inline.url(), options.crowd());
				this.away = register(new RoomsAway(inline.url(), options.away));
			}
			else {
				LocalServer parley = register(LocalServer.start(Checkout.chatServer(), List.of(),
						join(trust, "chat.broker.mode=bus", "chat.security.jwt.access-ttl=3h", "chat.push.provider=fcm",
								"chat.push.fcm.ssl-bundle=fcm", "chat.push.fcm.endpoint=" + this.fcm.endpoint(),
								"chat.push.fcm.credentials=" + this.fcm.serviceAccountFile(folder))));
				this.trials = Trials.atParley(parley.url(), options.crowd());
				this.away = register(new RoomsAway(parley.url(), 0));
			}
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private static List<String> join(List<String> some, String... others) {
		List<String> all = new ArrayList<>(some);
		all.addAll(List.of(others));
		return all;
	}

	private <T extends AutoCloseable> T register(T resource) {
		this.open.addFirst(resource);
		return resource;
	}

	void warmUp() {
		if (this.options.warmup.isPositive()) {
			run(this.options.warmUp());
		}
	}

	Step measure(double rate) {
		long before = this.fcm.counts().requests();
		IdleResult result = run(this.options.load(rate));
		double accepted = (this.design == Design.LOG) ? result.acceptedPerSecond()
				: result.deliveriesPerSecond() / this.options.online;
		return new Step(this.design, rate, accepted, result, this.fcm.counts().requests() - before);
	}

	/**
	 * Runs a trial. Offline devices are registered when all sessions are connected.
	 */
	private IdleResult run(Load load) {
		return this.trials.run(load, this.away::register);
	}

	/**
	 * Returns the counts of the fake FCM, which include repeated pushes of a message.
	 */
	Counts pushes() {
		return this.fcm.counts();
	}

	@Override
	public void close() {
		for (AutoCloseable resource : this.open) {
			try {
				resource.close();
			}
			catch (Exception ex) {
				System.out.println("Could not stop a process: " + ex.getMessage());
			}
		}
	}

}
