package io.parley.loadtest.study.peers;

import java.util.List;

import io.parley.loadtest.cli.LoadTestException;

/**
 * The servers that the study can compare. A new one needs a class and a place in this
 * list.
 */
final class PeerSelection {

	static final List<Peer> ALL = List.of(new ParleyPeer("bus"), new ParleyPeer("simple"),
			new CentrifugoPeer(CentrifugoPeer.Mode.MEMORY), new CentrifugoPeer(CentrifugoPeer.Mode.HISTORY),
			new NatsPeer(NatsPeer.Mode.CORE), new NatsPeer(NatsPeer.Mode.JETSTREAM),
			new NatsPeer(NatsPeer.Mode.JETSTREAM_FSYNC), new MosquittoPeer(), new SocketIoPeer(), new RabbitMqPeer(),
			new EjabberdPeer());

	private PeerSelection() {
	}

	/**
	 * Returns the peers that have one of these names, or start with it: {@code parley}
	 * selects two.
	 * @throws LoadTestException when a name matches none
	 */
	static List<Peer> named(List<String> names) {
		names.forEach((name) -> {
			if (ALL.stream().noneMatch((peer) -> is(peer, name))) {
				throw new LoadTestException("--only %s: there is no such server, there are %s.".formatted(name,
						String.join(", ", ALL.stream().map(Peer::name).toList())));
			}
		});
		return ALL.stream()
			.filter((peer) -> names.isEmpty() || names.stream().anyMatch((name) -> is(peer, name)))
			.toList();
	}

	private static boolean is(Peer peer, String name) {
		return peer.name().equals(name) || peer.name().startsWith(name + "/");
	}

}
