package io.parley.server.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.parley.server.ChatServerApplication;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Two servers that share a database and a log, and nothing else. */
final class TwoServers implements AutoCloseable {

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	TwoServers() {
		List<String> shared = new ArrayList<>(Backends.sharedSettings());
		shared.addAll(List.of("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
				"server.port=0", "management.server.port=0", "chat.limits.sends-per-second=0",
				"chat.limits.sessions-per-user=0", "spring.jmx.enabled=false"));
		try {
			this.contexts.add(start("one", shared));
			this.contexts.add(start("two", shared));
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private static ConfigurableApplicationContext start(String node, List<String> shared) {
		List<String> arguments = new ArrayList<>(shared);
		arguments.add("chat.node.id=" + node);
		return new SpringApplicationBuilder(ChatServerApplication.class)
			.initializers(new ServerPortInfoApplicationContextInitializer())
			.registerShutdownHook(false)
			.run(arguments.stream().map((setting) -> "--" + setting).toArray(String[]::new));
	}

	ChatServer one() {
		return new ChatServer(this.contexts.getFirst().getEnvironment());
	}

	ChatServer two() {
		return new ChatServer(this.contexts.getLast().getEnvironment());
	}

	@Override
	public void close() {
		this.contexts.reversed().forEach(ConfigurableApplicationContext::close);
	}

}
