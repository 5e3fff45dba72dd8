package io.parley.loadtest.study.peers;

import java.util.List;

import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.MqttWire;
import io.parley.loadtest.study.peers.wire.Wire;

/**
 * Mosquitto with MQTT over WebSocket and QoS 0.
 */
final class MosquittoPeer extends ProgramPeer {

	MosquittoPeer() {
		super("mosquitto");
	}

	@Override
	public Promises promises() {
		return new Promises("no, and not confirmed (QoS 0)", "each sender", "no (QoS 0)");
	}

	@Override
	String program(PeersCommand options) {
		return options.mosquitto;
	}

	@Override
	String installation() {
		return "install the package mosquitto of Debian or Ubuntu";
	}

	@Override
	List<String> versionArguments() {
		return List.of("-h");
	}

	@Override
	List<String> arguments(String configurationFile) {
		return List.of("-c", configurationFile);
	}

	/**
	 * Version 2.0 ends at once when it has only a listener for WebSocket.
	 */
	@Override
	String configuration(int port, int spare) {
		return """
				listener %d 127.0.0.1
				listener %d 127.0.0.1
				protocol websockets
				allow_anonymous true
				persistence false
				set_tcp_nodelay true
				max_queued_messages 0
				log_type error
				""".formatted(spare, port);
	}

	@Override
	String configurationFile() {
		return "mosquitto.conf";
	}

	@Override
	String path() {
		return "/";
	}

	@Override
	String subprotocol() {
		return "mqtt";
	}

	@Override
	Wire wire(Link link, int session, String room) {
		return new MqttWire(link, "session" + session, room);
	}

}
