package io.parley.loadtest.study.transports;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A client that the server calls back. */
interface RmiReceiver extends Remote {

	/** Takes what waited for it, in order. */
	void receive(byte[][] messages) throws RemoteException;

}
