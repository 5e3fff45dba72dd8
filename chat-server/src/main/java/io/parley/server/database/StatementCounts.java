package io.parley.server.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The metric {@code chat.db.statements}: how many statements this process has prepared,
 * separately for requests and jobs of the server and for the workers in this process. A
 * batch is one statement; a commit is none. Only the connection is wrapped, because the
 * code that uses it prepares a statement each time. Safe for use by many threads.
 */
final class StatementCounts implements MeterBinder {

	private static final String NAME = "chat.db.statements";

	private static final Set<String> PREPARATIONS = Set.of("prepareStatement", "prepareCall", "createStatement");

	private final LongAdder server = new LongAdder();

	private final LongAdder workers = new LongAdder();

	/** Returns a connection that is counted for the current thread. */
	Connection of(Connection connection) {
		boolean worker = StatementTimeoutDataSource.isWorker(Thread.currentThread().getName());
		LongAdder count = worker ? this.workers : this.server;
		return (Connection) Proxy.newProxyInstance(StatementCounts.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (PREPARATIONS.contains(method.getName())) {
						count.increment();
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bind(registry, "server", this.server);
		bind(registry, "worker", this.workers);
	}

	private static void bind(MeterRegistry registry, String by, LongAdder count) {
		FunctionCounter.builder(NAME, count, LongAdder::sum)
			.tag("by", by)
			.description("Statements that this process has prepared for its database")
			.register(registry);
	}

}
