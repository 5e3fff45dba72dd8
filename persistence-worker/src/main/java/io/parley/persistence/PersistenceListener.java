package io.parley.persistence;

/** Is notified of the progress of the database. */
@FunctionalInterface
public interface PersistenceListener {

	/**
	 * Called when all records of the partition below the offset are committed in the
	 * database. Runs on the worker's thread: must neither block nor throw.
	 */
	void onPersisted(int partition, long nextOffset);

}
