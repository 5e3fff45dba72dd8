package io.parley.loadtest.study.separation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.parley.fakefcm.Counts;
import io.parley.fakefcm.FakeFcm;
import io.parley.fakefcm.FakeFcmOptions;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.idle.TrialRunner;
import io.parley.loadtest.idle.TrialRunner.Load;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.local.ScratchFolder;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.server.LocalBaseline;
import tools.jackson.databind.json.JsonMapper;

/**
 * A new server of one of the designs, with its own fake FCM.
 */
final class DesignServer {

	private final SeparationCommand options;

	private final Design design;

	private final FakeFcm fcm;

	private final TrialRunner trials;

	/** Called with the rooms when all sessions are connected. */
	private final Consumer<List<String>> connected;

	/**
	 * Starts the fake FCM and the server.
	 */
	DesignServer(Design design, SeparationCommand options, Resources open) {
		this.design = design;
		this.options = options;
		Path folder = open.add(new ScratchFolder()).path();
		this.fcm = open
			.add(FakeFcm.start(FakeFcmOptions.defaults().withLatency(Duration.ofMillis(options.fcmLatency))));
		String trust = "spring.ssl.bundle.pem.fcm.truststore.certificate=file:" + this.fcm.trustCertificateFile(folder);
		if (design == Design.INLINE) {
			URI url = open
				.add(LocalBaseline.start(List.of(trust, "spring.profiles.active=inline",
						"inline.fcm.access-token=fake-access-inline", "inline.fcm.endpoint=" + this.fcm.endpoint())))
				.url();
			HttpClient client = open.add(HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build());
			this.trials = TrialRunner.atPlain(url, options.crowd());
			this.connected = (rooms) -> rooms.stream()
				.filter((room) -> options.away > 0)
				.forEach((room) -> registerDevices(client, url, room));
		}
		else {
			URI url = open.add(LocalServer.start(Checkout.chatServer(), List.of(),
					List.of(trust, "chat.broker.mode=bus", "chat.security.jwt.access-ttl=3h", "chat.push.provider=fcm",
							"chat.push.fcm.ssl-bundle=fcm", "chat.push.fcm.endpoint=" + this.fcm.endpoint(),
							"chat.push.fcm.credentials=" + this.fcm.serviceAccountFile(folder))))
				.url();
			this.trials = TrialRunner.atParley(url, options.crowd());
			this.connected = (rooms) -> {
			};
		}
	}

	/**
	 * Registers the offline devices of a room at the inline server, once all sessions are
	 * connected: pushes of the probes for the subscriptions would delay the server at the
	 * start of the measurement.
	 */
	private void registerDevices(HttpClient client, URI url, String room) {
		List<String> tokens = IntStream.range(0, this.options.away).mapToObj((n) -> room + ":" + n).toList();
		HttpRequest request = HttpRequest.newBuilder(url.resolve("/devices"))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers
				.ofByteArray(JsonMapper.shared().writeValueAsBytes(Map.of("room", room, "tokens", tokens))))
			.build();
		try {
			int status = client.send(request, BodyHandlers.discarding()).statusCode();
			if (status != 200) {
				throw new LoadTestException(
						"The inline server answered %d to the registration of devices.".formatted(status));
			}
		}
		catch (IOException ex) {
			throw new LoadTestException("The inline server does not answer: " + ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LoadTestException("The run was interrupted.");
		}
	}

	IdleResult run(Load load) {
		return this.trials.run(load, this.connected);
	}

	Step measure(Load load) {
		long before = this.fcm.counts().requests();
		IdleResult result = run(load);
		double accepted = (this.design == Design.LOG) ? result.acceptedPerSecond()
				: result.deliveriesPerSecond() / this.options.online;
		return new Step(this.design, load.rate(), accepted, result, this.fcm.counts().requests() - before);
	}

	/**
	 * Returns the counts of the fake FCM, which include repeated pushes of a message.
	 */
	Counts pushes() {
		return this.fcm.counts();
	}

}
