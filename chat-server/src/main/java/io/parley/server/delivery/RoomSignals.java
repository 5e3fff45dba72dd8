package io.parley.server.delivery;

import io.parley.events.Destination;
import io.parley.server.session.Outbound;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * What happens in a room and is forgotten at once. Signals go to those who listen now;
 * they have no position, and some may be lost.
 */
@Component
public class RoomSignals {

	private final LiveDelivery live;

	private final Outbound outbound;

	private final Peers peers;

	private final JsonMapper json;

	RoomSignals(LiveDelivery live, Outbound outbound, Peers peers, JsonMapper json) {
		this.live = live;
		this.peers = peers;
		this.outbound = outbound;
		this.json = json;
		peers.on(Peers.Kind.ROOM, this::deliver);
	}

	private record Typing(String type, String room, String user) {
	}

	private record Read(String type, String room, String user, long position) {
	}

	private record Presence(String type, String room, String user, String state) {
	}

	/** The user is writing. */
	public void typing(String room, String user) {
		signal(room, new Typing("typing", room, user));
	}

	/** The user has read everything up to that position. */
	public void read(String room, String user, long position) {
		signal(room, new Read("read", room, user, position));
	}

	/** The user has come or gone. */
	void presence(String room, String user, boolean online) {
		signal(room, new Presence("presence", room, user, online ? "online" : "offline"));
	}

	private void signal(String room, Object body) {
		byte[] bytes = this.json.writeValueAsBytes(body);
		if (!this.live.carry(new Destination.SignalsTopic(room), bytes)) {
			deliver(room, bytes);
			this.peers.tell(Peers.Kind.ROOM, room, bytes);
		}
	}

	private void deliver(String room, byte[] body) {
		this.live.deliver(LiveFrame.signal(new Destination.SignalsTopic(room), this.outbound.nextId(), body));
	}

}
