package io.parley.server.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Wraps the database of a server and records each executed statement, with the name of
 * the thread. A batch is one statement.
 */
public final class CountedStatements implements BeanPostProcessor {

	/** Queries on behalf of another thread run on threads that are named after it. */
	private static final String ON_BEHALF = "database-";

	/** Threads whose statements do not depend on what clients send. */
	private static final List<String> BACKGROUND = List.of("main", "job-", "presence-", "persistence-", "notification-",
			"push-", "tail-");

	private final Queue<Executed> executed = new ConcurrentLinkedQueue<>();

	private record Executed(String thread, String sql) {

		boolean isOn(String prefix) {
			String name = this.thread.startsWith(ON_BEHALF) ? this.thread.substring(ON_BEHALF.length()) : this.thread;
			return name.startsWith(prefix);
		}

	}

	public void clear() {
		this.executed.clear();
	}

	/** Returns what requests and frames have executed since the last {@link #clear}. */
	public List<String> ofRequests() {
		return sql((statement) -> BACKGROUND.stream().noneMatch(statement::isOn));
	}

	/** Returns what threads whose names start like this have executed. */
	public List<String> of(String threads) {
		return sql((statement) -> statement.isOn(threads));
	}

	private List<String> sql(Predicate<Executed> wanted) {
		return this.executed.stream().filter(wanted).map(Executed::sql).toList();
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof HikariDataSource pool) {
			pool.setDataSource(
					new Source(new DriverManagerDataSource(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword())));
		}
		return bean;
	}

	private final class Source extends DelegatingDataSource {

		Source(DriverManagerDataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			Connection connection = super.getConnection(username, password);
			return proxy(Connection.class,
					(proxy, method, arguments) -> prepared(arguments, call(connection, method, arguments)));
		}

	}

	private Object prepared(Object[] arguments, Object result) {
		if (!(result instanceof PreparedStatement statement)) {
			return result;
		}
		return proxy(PreparedStatement.class, (proxy, called, values) -> {
			if (called.getName().startsWith("execute")) {
				this.executed.add(new Executed(Thread.currentThread().getName(), (String) arguments[0]));
			}
			return call(statement, called, values);
		});
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type
			.cast(Proxy.newProxyInstance(CountedStatements.class.getClassLoader(), new Class<?>[] { type }, handler));
	}

	private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	/** Returns the statements one per line, for messages of assertions. */
	@Override
	public String toString() {
		return String.join("\n",
				Stream
					.concat(Stream.of("executed:"),
							this.executed.stream().map((statement) -> statement.thread() + ": " + statement.sql()))
					.toList());
	}

}
