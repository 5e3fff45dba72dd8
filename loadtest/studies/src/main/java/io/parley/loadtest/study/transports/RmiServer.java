package io.parley.loadtest.study.transports;

import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

import io.parley.loadtest.study.transports.RmiHub.Receiver;

/**
 * The RMI server: clients call the server, and the server calls the clients back.
 */
final class RmiServer implements RmiHub, AutoCloseable {

	/** Each call in progress uses a connection and a thread at the receiver. */
	private static final Semaphore CALLS = new Semaphore(64);

	private final Map<String, Map<Receiver, Subscriber>> groups = new ConcurrentHashMap<>();

	private final Registry registry;

	RmiServer(int port) throws RemoteException {
		this.registry = LocateRegistry.createRegistry(port);
		this.registry.rebind(NAME, UnicastRemoteObject.exportObject(this, 0));
	}

	private static final class RmiSubscriber extends Subscriber {

		private final Receiver receiver;

		RmiSubscriber(Receiver receiver) {
			this.receiver = receiver;
		}

		@Override
		void deliver(byte[] first) throws RemoteException, InterruptedException {
			CALLS.acquire();
			try {
				List<byte[]> messages = new ArrayList<>(List.of(first));
				this.queue.drainTo(messages);
				this.receiver.receive(messages.toArray(byte[][]::new));
			}
			finally {
				CALLS.release();
			}
		}

	}

	@Override
	public void join(String group, Receiver receiver) {
		Subscriber client = new RmiSubscriber(receiver);
		client.start();
		this.groups.computeIfAbsent(group, (key) -> new ConcurrentHashMap<>()).put(receiver, client);
	}

	@Override
	public void leave(String group, Receiver receiver) {
		this.groups.computeIfPresent(group, (key, clients) -> {
			Subscriber client = clients.remove(receiver);
			if (client != null) {
				client.close();
			}
			return clients.isEmpty() ? null : clients;
		});
	}

	@Override
	public void send(String group, byte[] message) throws RemoteException {
		try {
			for (Subscriber client : this.groups.getOrDefault(group, Map.of()).values()) {
				client.offer(message);
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
