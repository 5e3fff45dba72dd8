package io.parley.server.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Wraps the database of a server so that a test can stall it: it keeps its connections
 * and does not respond. As with the MySQL driver, a call fails after the network timeout
 * of its connection; without a timeout it waits until the database is resumed.
 */
public final class StillDatabase implements BeanPostProcessor {

	/**
	 * The methods that a driver executes without contacting its server. The pool calls
	 * {@code clearWarnings} when a connection is returned, after it has removed the
	 * network timeout.
	 */
	private static final Set<String> LOCAL = Set.of("abort", "clearWarnings", "close", "getNetworkTimeout", "isClosed",
			"isWrapperFor", "setNetworkTimeout", "unwrap");

	private boolean stalled;

	public synchronized void stall() {
		this.stalled = true;
	}

	public synchronized void resume() {
		this.stalled = false;
		notifyAll();
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof HikariDataSource pool) {
			pool.setDataSource(
					new Source(new DriverManagerDataSource(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword())));
		}
		return bean;
	}

	/** Waits while the database is stalled. Returns false after the timeout. */
	private synchronized boolean awaitAnswer(long timeoutMillis) {
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
		try {
			while (this.stalled) {
				long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
				if (timeoutMillis > 0 && left <= 0) {
					return false;
				}
				wait((timeoutMillis > 0) ? left : 0);
			}
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private final class Source extends DelegatingDataSource {

		Source(DriverManagerDataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			if (!awaitAnswer(1_000)) {
				throw new SQLNonTransientConnectionException("The database does not answer", "08S01");
			}
			return proxy(Connection.class, new Link(super.getConnection(username, password)));
		}

	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type
			.cast(Proxy.newProxyInstance(StillDatabase.class.getClassLoader(), new Class<?>[] { type }, handler));
	}

	/** A connection and its statements. */
	private final class Link implements InvocationHandler {

		private final Connection connection;

		private volatile int timeoutMillis;

		Link(Connection connection) {
			this.connection = connection;
		}

		@Override
		public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
			switch (method.getName()) {
				case "setNetworkTimeout" -> {
					this.timeoutMillis = (Integer) arguments[1];
					return null;
				}
				case "getNetworkTimeout" -> {
					return this.timeoutMillis;
				}
				case "isValid" -> {
					return awaitAnswer(1_000L * (Integer) arguments[0]);
				}
				default -> {
				}
			}
			Object result = call(this.connection, method, arguments);
			if (result instanceof PreparedStatement statement) {
				return proxy(PreparedStatement.class, (same, asked, values) -> call(statement, asked, values));
			}
			if (result instanceof Statement statement) {
				return proxy(Statement.class, (same, asked, values) -> call(statement, asked, values));
			}
			return result;
		}

		private Object call(Object target, Method method, Object[] arguments) throws Throwable {
			if (!LOCAL.contains(method.getName()) && !awaitAnswer(this.timeoutMillis)) {
				throw new SQLNonTransientConnectionException("The database does not answer", "08S01");
			}
			try {
				return method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
		}

	}

}
