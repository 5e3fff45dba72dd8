package io.parley.loadtest.study.server;

import java.nio.file.Path;
import java.util.List;

import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.report.Jcmd;

/**
 * A broker of the module {@code loadtest/brokers} in a separate process.
 */
final class BrokerProcess implements LocalBroker {

	private final Kind kind;

	private final int port = LocalServer.freePort();

	private final ChildProcess process;

	private BrokerProcess(Kind kind, Path jar) {
		this.kind = kind;
		List<String> program = ChildProcess.jar(jar);
		this.process = new ChildProcess("broker " + kind.key(), ChildProcess.folder(),
				ChildProcess.java(ChildProcess.JVM, program, List.of(kind.key(), Integer.toString(this.port))),
				ChildProcess.Ending.INPUT);
	}

	static LocalBroker start(Kind kind) {
		BrokerProcess broker = new BrokerProcess(kind, Checkout.brokers());
		broker.process.await(() -> StompPing.answers(broker.port, "guest", "guest"), new Jcmd(broker.pid()));
		return broker;
	}

	@Override
	public List<String> settings() {
		return List.of("chat.broker.relay.kind=" + this.kind.key(), "chat.broker.relay.host=127.0.0.1",
				"chat.broker.relay.port=" + this.port);
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public long pid() {
		return this.process.pid();
	}

	@Override
	public void close() {
		this.process.close();
	}

}
