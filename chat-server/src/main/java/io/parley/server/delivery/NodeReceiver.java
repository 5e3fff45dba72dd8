package io.parley.server.delivery;

import io.parley.log.RoomLog;
import io.parley.log.SignalBus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Receives the signals of the other chat-servers' {@link NodeMessenger}s and passes them
 * to the sessions of this server.
 */
@Component
class NodeReceiver implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(NodeReceiver.class);

	private final SignalBus bus;

	private final RoomSignals rooms;

	private final UserEvents userEvents;

	private final AccessChanges access;

	private final SignOuts signOuts;

	private volatile boolean running;

	NodeReceiver(RoomLog log, RoomSignals rooms, UserEvents userEvents, AccessChanges access, SignOuts signOuts) {
		this.bus = log.signals();
		this.rooms = rooms;
		this.userEvents = userEvents;
		this.access = access;
		this.signOuts = signOuts;
	}

	private void receive(byte[] bytes) {
		try {
			NodeSignal signal = NodeSignal.decode(bytes);
			switch (signal.kind()) {
				case ROOM -> this.rooms.deliver(signal.key(), signal.json());
				case USER -> this.userEvents.sendHere(signal.key(), signal.json());
				case REMOVED -> this.access.removedElsewhere(signal.json());
				case MEMBER -> this.access.changedElsewhere(signal.json());
				case BLOCKED -> this.access.blockedElsewhere(signal.json());
				case ROOM_SETTINGS -> this.access.settingsChangedElsewhere(signal.key());
				case SIGNED_OUT -> this.signOuts.endedElsewhere(signal.key(), signal.json());
			}
		}
		catch (RuntimeException ex) {
			log.debug("Failed to decode a signal from another server; it may run a newer version", ex);
		}
	}

	@Override
	public void start() {
		this.running = true;
		this.bus.listen(this::receive);
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
