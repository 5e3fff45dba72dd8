package io.parley.loadtest.study.transports;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

import org.jspecify.annotations.Nullable;

/**
 * A client of the {@link RmiServer}. An echo is the return value of a call.
 */
final class RmiLink implements Link, RmiReceiver {

	private final RmiHub hub;

	private final Cell cell;

	private final String group;

	private final int client;

	private final Tally tally;

	private final @Nullable RmiReceiver receiver;

	RmiLink(RmiHub hub, Cell cell, String group, int client, Tally tally) throws RemoteException {
		this.hub = hub;
		this.cell = cell;
		this.group = group;
		this.client = client;
		this.tally = tally;
		this.receiver = cell.toAll() ? (RmiReceiver) UnicastRemoteObject.exportObject(this, 0) : null;
		if (this.receiver != null) {
			hub.join(group, this.receiver);
		}
	}

	@Override
	public void send(int sequence) throws RemoteException {
		byte[] message = Parcel.bytes(this.client, sequence, this.cell.bytes());
		if (this.cell.toAll()) {
			this.hub.send(this.group, message);
		}
		else {
			Parcel.arrived(this.hub.echo(message), this.client, this.tally);
		}
	}

	@Override
	public void receive(byte[][] messages) {
		for (byte[] message : messages) {
			Parcel.arrived(message, this.client, this.tally);
		}
	}

	@Override
	public void close() throws RemoteException {
		if (this.receiver != null) {
			this.hub.leave(this.group, this.receiver);
			UnicastRemoteObject.unexportObject(this, true);
		}
	}

}
