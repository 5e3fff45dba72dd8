package io.parley.server.broker;

import java.net.InetSocketAddress;

import io.netty.channel.ChannelOption;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.messaging.simp.stomp.StompReactorNettyCodec;
import org.springframework.messaging.tcp.TcpOperations;
import org.springframework.messaging.tcp.reactor.ReactorNettyTcpClient;

/**
 * Creates TCP connections to the broker, at an address that answers. Their number is not
 * limited, while Spring's own client stops at 10,000.
 */
public class BrokerTcp implements DisposableBean {

	private static final int CONNECT_MILLIS = 5_000;

	private final BrokerAddresses addresses;

	private final LoopResources loops = LoopResources.create("broker", Runtime.getRuntime().availableProcessors(),
			true);

	public BrokerTcp(BrokerProperties.Relay properties) {
		this.addresses = new BrokerAddresses(properties.host(), properties.port());
	}

	/**
	 * Creates a client. Each user of this class needs its own, because it shuts the
	 * client down when it stops.
	 */
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
