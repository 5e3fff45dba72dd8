package io.parley.server.broker;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The addresses of the broker. All connections use the same address until it does not
 * answer. Safe for use by many threads.
 */
final class BrokerAddresses {

	private final List<InetSocketAddress> addresses;

	private final AtomicInteger index = new AtomicInteger();

	/**
	 * Parses addresses of the form {@code host} or {@code host:port}.
	 * @throws IllegalArgumentException if an address has neither form
	 */
	BrokerAddresses(List<String> hosts, int defaultPort) {
		this.addresses = hosts.stream().map((host) -> parse(host.strip(), defaultPort)).toList();
	}

	private static InetSocketAddress parse(String address, int defaultPort) {
		int colon = address.lastIndexOf(':');
		boolean hasPort = colon > 0 && colon > address.lastIndexOf(']') && address.indexOf(':') == colon
				|| colon > 0 && address.charAt(colon - 1) == ']';
		String host = hasPort ? address.substring(0, colon) : address;
		try {
			int port = hasPort ? Integer.parseInt(address.substring(colon + 1)) : defaultPort;
			return InetSocketAddress.createUnresolved(host.replaceAll("[\\[\\]]", ""), port);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"chat.broker.relay.host contains an address that is neither 'host' nor 'host:port': " + address,
					ex);
		}
	}

	/**
	 * Returns the address to connect to. It is not resolved, so that each attempt queries
	 * the name service.
	 */
	InetSocketAddress current() {
		return this.addresses.get(Math.floorMod(this.index.get(), this.addresses.size()));
	}

	/** Selects the next address, unless another caller has already reported this one. */
	void failed(InetSocketAddress address) {
		int index = this.index.get();
		if (address.equals(this.addresses.get(Math.floorMod(index, this.addresses.size())))) {
			this.index.compareAndSet(index, index + 1);
		}
	}

}
