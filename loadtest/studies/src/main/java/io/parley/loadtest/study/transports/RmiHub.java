package io.parley.loadtest.study.transports;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * The remote interface of the server.
 */
interface RmiHub extends Remote {

	String NAME = "hub";

	/**
	 * The remote interface of a client for callbacks of the server.
	 */
	interface Receiver extends Remote {

		/**
		 * Receives queued messages, in order.
		 */
		void receive(byte[][] messages) throws RemoteException;

	}

	/**
	 * Adds a receiver to a group. It receives all messages sent to the group from now on.
	 */
	void join(String group, Receiver receiver) throws RemoteException;

	void leave(String group, Receiver receiver) throws RemoteException;

	/**
	 * Sends a message to all members of the group. Blocks while the queue of a member is
	 * full.
	 */
	void send(String group, byte[] message) throws RemoteException;

	byte[] echo(byte[] message) throws RemoteException;

}
