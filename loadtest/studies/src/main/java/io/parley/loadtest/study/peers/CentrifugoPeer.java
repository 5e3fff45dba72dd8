package io.parley.loadtest.study.peers;

import java.util.List;

import io.parley.loadtest.study.peers.wire.CentrifugoWire;
import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Centrifugo with its engine in memory and without history, which is its fastest mode.
 */
final class CentrifugoPeer extends ProgramPeer {

	CentrifugoPeer() {
		super("centrifugo");
	}

	@Override
	public Promises promises() {
		return new Promises("no: confirmed, but only in memory", "each channel",
				"no; with history: what its memory still holds");
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
