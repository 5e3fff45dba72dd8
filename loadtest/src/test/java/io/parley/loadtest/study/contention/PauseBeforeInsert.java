package io.parley.loadtest.study.contention;

import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.h2.api.Trigger;

/** Leaves others time between looking for a place and taking it. */
public final class PauseBeforeInsert implements Trigger {

	@Override
	public void fire(Connection connection, Object[] before, Object[] after) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
	}

}
