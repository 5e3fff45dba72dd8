package io.parley.loadtest.study.transports;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The server as RMI clients see it. */
interface RmiHub extends Remote {

	/** Where it is in the registry. */
	String NAME = "hub";

	/** From now on the receiver gets what is said in the group. */
	void join(String group, RmiReceiver receiver) throws RemoteException;

	void leave(String group, RmiReceiver receiver) throws RemoteException;

	/** Says it to all of the group; waits while one of them has too much waiting. */
	void say(String group, byte[] message) throws RemoteException;

	/** Answers the same. */
	byte[] echo(byte[] message) throws RemoteException;

}
