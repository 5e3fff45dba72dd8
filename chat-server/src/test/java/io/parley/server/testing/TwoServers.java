package io.parley.server.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.parley.events.RoomNames;
import io.parley.log.RoomLog;
import io.parley.notification.NotificationWorker;
import io.parley.persistence.PersistenceWorker;
import io.parley.server.ChatServerApplication;
import io.parley.store.presence.NodePresence;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Two servers that share only a database and a log. */
public final class TwoServers implements AutoCloseable {

	private static final String MODE = "chat.broker.mode=";

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private final List<String> shared;

	/** Starts both servers on the backend under test. */
	public TwoServers() {
		this(Backends.sharedSettings());
	}

	/** Starts both servers on this backend, named as those of {@link Backends}. */
	public static TwoServers on(String backend) {
		return new TwoServers(Backends.sharedSettings(backend));
	}

	/**
	 * Starts both servers in mode {@code bus}, on every backend under test.
	 * @param settings {@code key=value}, in place of those with the same key
	 */
	public static TwoServers onBus(String... settings) {
		List<String> all = new ArrayList<>(Backends.sharedSettings("bus/kafka"));
		for (String setting : settings) {
			all.removeIf((other) -> other.startsWith(setting.substring(0, setting.indexOf('=') + 1)));
			all.add(setting);
		}
		return new TwoServers(all);
	}

	private TwoServers(List<String> backend) {
		this.shared = new ArrayList<>(backend);
		this.shared.addAll(List.of("chat.database.timeout=10s",
				"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "server.port=0",
				"management.server.port=0", "chat.limits.sends-per-second=0",
				// While one server starts, the other may be slow.
				"chat.session.connect-timeout=60s", "chat.presence.last-seen=true",
				"chat.limits.reactions-per-second=0", "chat.limits.drafts-per-second=0", "chat.scheduled.min-delay=1ms",
				"chat.limits.sessions-per-user=0", "chat.limits.rooms-per-minute=0", "chat.limits.reports-per-minute=0",
				"chat.limits.repeated-invitations-per-minute=0", "chat.security.registration=open",
				"chat.security.first-operator.username=olga",
				"chat.security.first-operator.password=" + ChatApi.PASSWORD, "spring.jmx.enabled=false"));
		try {
			this.contexts.add(start("one", this.shared));
			this.contexts.add(start("two", this.shared));
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private static ConfigurableApplicationContext start(String node, List<String> settings) {
		List<String> arguments = new ArrayList<>(settings);
		arguments.add("chat.node.id=" + node);
		return new SpringApplicationBuilder(ChatServerApplication.class, QuickPasswords.class)
			.initializers(new ServerPortInfoApplicationContextInitializer())
			.registerShutdownHook(false)
			.run(arguments.stream().map((setting) -> "--" + setting).toArray(String[]::new));
	}

	/** Stops one server, 0 or 1, and restarts it in another mode. */
	public void restart(int server, String mode) {
		List<String> settings = new ArrayList<>(this.shared);
		settings.replaceAll((setting) -> setting.startsWith(MODE) ? MODE + mode : setting);
		this.contexts.get(server).close();
		this.contexts.set(server, start((server == 0) ? "one" : "two", settings));
	}

	/** Stops one server, 0 or 1, and starts it again. */
	public void restart(int server) {
		this.contexts.get(server).close();
		this.contexts.set(server, start((server == 0) ? "one" : "two", this.shared));
	}

	/** Publishes an application event on one server, as a failed append does. */
	public void publish(int server, Object event) {
		this.contexts.get(server).publishEvent(event);
	}

	public ChatServer server(int server) {
		return new ChatServer(this.contexts.get(server).getEnvironment());
	}

	public ChatServer one() {
		return server(0);
	}

	public ChatServer two() {
		return server(1);
	}

	/** Appends a record to the shared log, as another process does. */
	public void append(String room, byte[] record) {
		RoomLog log = this.contexts.getFirst().getBean(RoomLog.class);
		log.append(RoomNames.partition(room, log.partitions()), record).join();
	}

	/** Returns the bean of this type of the first server. */
	public <T> T bean(Class<T> type) {
		return this.contexts.getFirst().getBean(type);
	}

	/** Returns the shared database. */
	public JdbcTemplate database() {
		return this.contexts.getFirst().getBean(JdbcTemplate.class);
	}

	/** Returns how many records the workers have not read yet. */
	public long unread() {
		return this.contexts.stream()
			.mapToLong((context) -> context.getBean(PersistenceWorker.class).lag()
					+ context.getBean(NotificationWorker.class).lag())
			.sum();
	}

	/** Returns the shared store of online users. */
	public NodePresence presence() {
		return this.contexts.getFirst().getBean(NodePresence.class);
	}

	@Override
	public void close() {
		this.contexts.reversed().forEach(ConfigurableApplicationContext::close);
	}

}
