package io.parley.brokers;

/** A broker that runs until it is closed. */
interface Broker extends AutoCloseable {

	String name();

	@Override
	void close();

}
