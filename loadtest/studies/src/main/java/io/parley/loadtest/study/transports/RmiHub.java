package io.parley.loadtest.study.transports;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * The remote interface of the server.
 */
interface RmiHub extends Remote {

	/**
	 * Its name in the registry.
	 */
	String NAME = "hub";

	/**
	 * Adds a receiver to a group. It receives all messages sent to the group from now on.
	 */
	void join(String group, RmiReceiver receiver) throws RemoteException;

	void leave(String group, RmiReceiver receiver) throws RemoteException;

	/**
	 * Sends a message to all members of the group. Blocks while the queue of a member is
	 * full.
	 */
	void send(String group, byte[] message) throws RemoteException;

	/**
	 * Returns the same message.
	 */
	byte[] echo(byte[] message) throws RemoteException;

}
