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
 * The database of a server, which stands still when a test asks for it: it keeps its
 * connections and answers nothing. Like the driver of MySQL, a connection gives up after
 * its network timeout; without one it waits until the database goes on.
 */
public final class StillDatabase implements BeanPostProcessor {

	/** What a driver does without asking its server. */
	private static final Set<String> LOCAL = Set.of("abort", "close", "getNetworkTimeout", "isClosed", "isWrapperFor",
			"setNetworkTimeout", "unwrap");

	private boolean still;

	public synchronized void standStill() {
		this.still = true;
	}

	public synchronized void goOn() {
		this.still = false;
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

	/** Waits while the database stands still; false when it takes too long. */
	private synchronized boolean answers(long timeoutMillis) {
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
		try {
			while (this.still) {
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
			if (!answers(1_000)) {
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
					return answers(1_000L * (Integer) arguments[0]);
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
			if (!LOCAL.contains(method.getName()) && !answers(this.timeoutMillis)) {
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
