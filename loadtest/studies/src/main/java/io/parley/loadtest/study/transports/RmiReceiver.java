package io.parley.loadtest.study.transports;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * The remote interface of a client for callbacks of the server.
 */
interface RmiReceiver extends Remote {

	/**
	 * Receives queued messages, in order.
	 */
	void receive(byte[][] messages) throws RemoteException;

}
