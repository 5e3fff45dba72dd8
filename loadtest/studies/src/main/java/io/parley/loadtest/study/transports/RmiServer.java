package io.parley.loadtest.study.transports;

import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The RMI server: clients call the server, and the server calls the clients back.
 */
final class RmiServer implements RmiHub, AutoCloseable {

	private final Map<String, Map<RmiReceiver, RmiLane>> groups = new ConcurrentHashMap<>();

	private final Registry registry;

	RmiServer(int port) throws RemoteException {
		this.registry = LocateRegistry.createRegistry(port);
		this.registry.rebind(NAME, UnicastRemoteObject.exportObject(this, 0));
	}

	@Override
	public void join(String group, RmiReceiver receiver) {
		this.groups.computeIfAbsent(group, (key) -> new ConcurrentHashMap<>()).put(receiver, new RmiLane(receiver));
	}

	@Override
	public void leave(String group, RmiReceiver receiver) {
		this.groups.computeIfPresent(group, (key, lanes) -> {
			RmiLane lane = lanes.remove(receiver);
			if (lane != null) {
				lane.close();
			}
			return lanes.isEmpty() ? null : lanes;
		});
	}

	@Override
	public void send(String group, byte[] message) throws RemoteException {
		try {
			for (RmiLane lane : this.groups.getOrDefault(group, Map.of()).values()) {
				lane.offer(message);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RemoteException("The server is stopping", ex);
		}
	}

	@Override
	public byte[] echo(byte[] message) {
		return message;
	}

	@Override
	public void close() throws NoSuchObjectException {
		UnicastRemoteObject.unexportObject(this, true);
		UnicastRemoteObject.unexportObject(this.registry, true);
	}

}
