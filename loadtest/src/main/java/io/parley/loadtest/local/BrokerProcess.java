package io.parley.loadtest.local;

import java.nio.file.Path;
import java.util.List;

/** A broker of the module {@code loadtest/brokers}. */
final class BrokerProcess implements LocalBroker {

	private final Kind kind;

	private final int port = LocalServer.freePort();

	private final ChildJvm jvm;

	private BrokerProcess(Kind kind, Path jar) {
		this.kind = kind;
		this.jvm = new ChildJvm(ChildJvm.folder(jar),
				List.of("-Xmx512m", "-XX:+UseParallelGC", "--enable-native-access=ALL-UNNAMED"), jar,
				List.of(kind.key(), Integer.toString(this.port)));
	}

	static LocalBroker start(Kind kind) {
		BrokerProcess broker = new BrokerProcess(kind, Checkout.brokers());
		broker.jvm.await("The broker " + kind.key(), () -> StompPing.answers(broker.port, "guest", "guest"));
		return broker;
	}

	@Override
	public List<String> settings() {
		return List.of("chat.broker.relay.kind=" + this.kind.key(), "chat.broker.relay.host=127.0.0.1",
				"chat.broker.relay.port=" + this.port);
	}

	@Override
	public long pid() {
		return this.jvm.pid();
	}

	@Override
	public void close() {
		this.jvm.close();
	}

}
