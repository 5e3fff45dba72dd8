package io.parley.loadtest.study.peers;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.study.peers.wire.CentrifugoWire;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Centrifugo with its engine in memory.
 */
final class CentrifugoPeer extends ProgramPeer {

	private static final String HISTORY = "\"channel\":{\"without_namespace\":"
			+ "{\"history_size\":300,\"history_ttl\":\"10m\",\"force_recovery\":true}},";

	private final Mode mode;

	CentrifugoPeer(Mode mode) {
		super("centrifugo/" + mode.name().toLowerCase(Locale.ROOT));
		this.mode = mode;
	}

	/**
	 * What Centrifugo keeps.
	 */
	enum Mode {

		/** Nothing, which is its fastest mode. */
		MEMORY,
		/**
		 * The last messages of each channel, as many as it sends to a client that returns
		 * (its {@code recovery_max_publication_limit}).
		 */
		HISTORY

	}

	@Override
	public Promises promises() {
		return switch (this.mode) {
			case MEMORY -> new Promises("no: confirmed, but not kept", "each channel", "no");
			case HISTORY -> new Promises("no: confirmed, but kept only in memory", "each channel",
					"up to 300 messages of 10 minutes, after more nothing; none after a restart");
		};
	}

	@Override
	String program(PeersCommand options) {
		return options.centrifugo;
	}

	@Override
	String installation() {
		return "install Go, run \"go install github.com/centrifugal/centrifugo/v6@v6.9.1\" and put its folder on PATH";
	}

	@Override
	List<String> versionArguments() {
		return List.of("version");
	}

	@Override
	List<String> arguments(String configurationFile) {
		return List.of("--config", configurationFile);
	}

	@Override
	String configuration(int port, int spare) {
		return "{\"http_server\":{\"address\":\"127.0.0.1\",\"port\":%d},".formatted(port)
				+ ((this.mode == Mode.HISTORY) ? HISTORY : "")
				+ "\"client\":{\"insecure\":true,\"allowed_origins\":[\"*\"]},\"log\":{\"level\":\"error\"}}";
	}

	@Override
	String configurationFile() {
		return "centrifugo.json";
	}

	@Override
	String path() {
		return "/connection/websocket";
	}

	@Override
	@Nullable String subprotocol() {
		return null;
	}

	@Override
	Wire wire(Link link, int session, String room) {
		return new CentrifugoWire(link, room);
	}

}
