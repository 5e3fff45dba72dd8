package io.parley.loadtest.study.peers;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.study.peers.wire.JetStreamWire;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.NatsWire;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * NATS without and with JetStream, its persistence.
 */
final class NatsPeer extends ProgramPeer {

	private static final String JETSTREAM = """
			jetstream { store_dir: "jetstream", sync_interval: %s }
			""";

	private final Mode mode;

	NatsPeer(Mode mode) {
		super("nats/" + mode.name().toLowerCase(Locale.ROOT).replace('_', '-'));
		this.mode = mode;
	}

	/**
	 * What NATS does with a message besides delivering it.
	 */
	enum Mode {

		/** Nothing. */
		CORE,
		/**
		 * Writes it to a file, and syncs the file every two minutes, which is its
		 * default.
		 */
		JETSTREAM,
		/** Writes it to a file and syncs the file, as Parley does. */
		JETSTREAM_FSYNC

	}

	@Override
	public Promises promises() {
		return switch (this.mode) {
			case CORE -> new Promises("no, and not confirmed", "each sender", "no");
			case JETSTREAM ->
				new Promises("yes, in a file that is synced every 2 minutes", "each room", "yes, from any position");
			case JETSTREAM_FSYNC -> new Promises("yes, on disk", "each room", "yes, from any position");
		};
	}

	@Override
	String program(PeersCommand options) {
		return options.nats;
	}

	@Override
	String installation() {
		return "install Go, run \"go install github.com/nats-io/nats-server/v2@v2.15.2\" and put its folder on PATH";
	}

	@Override
	List<String> arguments(String configurationFile) {
		return List.of("--config", configurationFile);
	}

	@Override
	String configuration(int port, int spare) {
		return """
				listen: "127.0.0.1:%d"
				websocket { listen: "127.0.0.1:%d", no_tls: true }
				""".formatted(spare, port) + switch (this.mode) {
			case CORE -> "";
			case JETSTREAM -> JETSTREAM.formatted("2m");
			case JETSTREAM_FSYNC -> JETSTREAM.formatted("always");
		};
	}

	@Override
	String configurationFile() {
		return "nats.conf";
	}

	@Override
	String path() {
		return "/";
	}

	@Override
	@Nullable String subprotocol() {
		return null;
	}

	@Override
	Wire wire(Link link, int session, String room) {
		return (this.mode == Mode.CORE) ? new NatsWire(link, room) : new JetStreamWire(link, "session" + session, room);
	}

}
