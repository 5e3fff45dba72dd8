package io.parley.server.broker;

import java.net.InetSocketAddress;

import io.netty.channel.ChannelOption;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.messaging.simp.stomp.StompReactorNettyCodec;
import org.springframework.messaging.tcp.TcpOperations;
import org.springframework.messaging.tcp.reactor.ReactorNettyTcpClient;
import org.springframework.stereotype.Component;

/**
 * TCP connections to the broker: as many as there are sessions, where Spring's own client
 * ends at 10,000, and to whichever address answers.
 */
@Component
@ConditionalOnProperty(name = "chat.broker.mode", havingValue = "relay")
public class BrokerTcp implements DisposableBean {

	private static final int CONNECT_MILLIS = 5_000;

	private final BrokerAddresses addresses;

	private final LoopResources loops = LoopResources.create("broker", Runtime.getRuntime().availableProcessors(),
			true);

	BrokerTcp(BrokerProperties properties) {
		this.addresses = new BrokerAddresses(properties.relay().host(), properties.relay().port());
	}

	/** A client of its own for each user, because they shut it down when they stop. */
	public TcpOperations<byte[]> client() {
		TcpClient tcp = TcpClient.create(ConnectionProvider.newConnection())
			.runOn(this.loops)
			.remoteAddress(this.addresses::current)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
			.option(ChannelOption.SO_KEEPALIVE, true);
		return new ReactorNettyTcpClient<>(tcp, new StompReactorNettyCodec());
	}

	InetSocketAddress address() {
		return this.addresses.current();
	}

	void failed(InetSocketAddress address) {
		this.addresses.failed(address);
	}

	@Override
	public void destroy() {
		this.loops.dispose();
	}

}
