package io.parley.persistence;

/** Wants to know how far the database has come. */
@FunctionalInterface
public interface PersistenceListener {

	/**
	 * Everything of the partition below the offset is committed in the database. Called
	 * by the worker's thread: must neither block nor throw.
	 */
	void onPersisted(int partition, long nextOffset);

}
