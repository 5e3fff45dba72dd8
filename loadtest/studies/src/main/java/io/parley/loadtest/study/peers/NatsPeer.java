package io.parley.loadtest.study.peers;

import java.util.List;

import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.NatsWire;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * The core of NATS, without JetStream.
 */
final class NatsPeer extends ProgramPeer {

	NatsPeer() {
		super("nats");
	}

	@Override
	public Promises promises() {
		return new Promises("no, and not confirmed", "each sender", "no");
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
				""".formatted(spare, port);
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
		return new NatsWire(link, room);
	}

}
