package io.parley.loadtest.study.contention;

import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.h2.api.Trigger;

/**
 * Pauses between the check for a place and taking it, so that other requests can
 * interleave.
 */
public final class PauseBeforeInsert implements Trigger {

	@Override
	public void fire(Connection connection, Object[] before, Object[] after) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
	}

}
