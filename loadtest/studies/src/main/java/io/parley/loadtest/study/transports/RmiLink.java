package io.parley.loadtest.study.transports;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

import org.jspecify.annotations.Nullable;

/**
 * A client of the {@link RmiServer}. An echo is the return value of a call.
 */
final class RmiLink implements Transport.Link, RmiHub.Receiver {

	private final RmiHub hub;

	private final RoundClient client;

	private final RmiHub.@Nullable Receiver receiver;

	RmiLink(RmiHub hub, RoundClient client) throws RemoteException {
		this.hub = hub;
		this.client = client;
		this.receiver = client.cell().toAll() ? (RmiHub.Receiver) UnicastRemoteObject.exportObject(this, 0) : null;
		if (this.receiver != null) {
			hub.join(client.group(), this.receiver);
		}
	}

	@Override
	public void send(int sequence) throws RemoteException {
		byte[] message = this.client.message(sequence);
		if (this.receiver != null) {
			this.hub.send(this.client.group(), message);
		}
		else {
			this.client.arrived(this.hub.echo(message));
		}
	}

	@Override
	public void receive(byte[][] messages) {
		for (byte[] message : messages) {
			this.client.arrived(message);
		}
	}

	@Override
	public void leave() throws RemoteException {
		if (this.receiver != null) {
			this.hub.leave(this.client.group(), this.receiver);
			UnicastRemoteObject.unexportObject(this, true);
		}
	}

}
