package io.parley.server.broker;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The addresses of the broker. All connections go to the same one, until that does not
 * answer. Safe for use by many threads.
 */
final class BrokerAddresses {

	private final List<InetSocketAddress> addresses;

	private final AtomicInteger turn = new AtomicInteger();

	/**
	 * Addresses as {@code host} or {@code host:port}.
	 * @throws IllegalArgumentException when one is neither
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
					"chat.broker.relay.host has an address that is no 'host' or 'host:port': " + address, ex);
		}
	}

	/** Where to connect now; not resolved, so that each attempt asks the name service. */
	InetSocketAddress current() {
		return this.addresses.get(Math.floorMod(this.turn.get(), this.addresses.size()));
	}

	/** It does not answer: the next one's turn, unless somebody has said so before. */
	void failed(InetSocketAddress address) {
		int turn = this.turn.get();
		if (address.equals(this.addresses.get(Math.floorMod(turn, this.addresses.size())))) {
			this.turn.compareAndSet(turn, turn + 1);
		}
	}

}
