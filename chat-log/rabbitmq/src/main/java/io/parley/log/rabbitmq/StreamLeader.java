package io.parley.log.rabbitmq;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import com.rabbitmq.stream.Address;
import com.rabbitmq.stream.Constants;
import com.rabbitmq.stream.StreamDoesNotExistException;
import com.rabbitmq.stream.StreamException;
import com.rabbitmq.stream.impl.Client;
import com.rabbitmq.stream.impl.Client.ClientParameters;
import com.rabbitmq.stream.impl.Client.StreamMetadata;
import com.rabbitmq.stream.impl.Client.StreamStatsResponse;

/**
 * The node that leads a stream. A node reports the state of its own replica, which may
 * lag for a long time; records that the leader does not have are gone. Each query opens
 * its own connection, so this is only for cases of doubt.
 */
final class StreamLeader {

	/** How many times a single address is asked for each node that may be behind it. */
	private static final int ROUNDS = 3;

	private final RabbitLogSettings settings;

	private final String stream;

	StreamLeader(RabbitLogSettings settings, String stream) {
		this.settings = settings;
		this.stream = stream;
	}

	/**
	 * Returns the state that the leader reports. A single address may be that of a load
	 * balancer; then all nodes that answer there are asked, and the state with the
	 * highest end offset counts.
	 * @throws StreamDoesNotExistException if the stream was deleted
	 * @throws StreamException if there is no leader now, or it does not answer
	 */
	StreamState ask() {
		List<Address> addresses = Broker.addresses(this.settings);
		StreamMetadata members = members(addresses);
		if (addresses.size() > 1) {
			return state(new Address(members.getLeader().getHost(), members.getLeader().getPort()));
		}
		int replicas = members.getReplicas().size();
		return IntStream.range(0, (replicas == 0) ? 1 : ROUNDS * (1 + replicas))
			.mapToObj((attempt) -> state(addresses.getFirst()))
			.max(Comparator.comparingLong(StreamState::end))
			.orElseThrow();
	}

	private StreamMetadata members(List<Address> addresses) {
		StreamException failure = new StreamException("No node answers");
		for (Address address : addresses) {
			try (Client client = connect(address)) {
				return members(client);
			}
			catch (StreamDoesNotExistException ex) {
				throw ex;
			}
			catch (StreamException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	private StreamMetadata members(Client client) {
		StreamMetadata members = client.metadata(this.stream).get(this.stream);
		if (members == null) {
			throw new StreamException("No metadata for stream " + this.stream);
		}
		if (members.getResponseCode() == Constants.RESPONSE_CODE_STREAM_DOES_NOT_EXIST) {
			throw new StreamDoesNotExistException(this.stream);
		}
		if (!members.isResponseOk() || members.getLeader() == null) {
			throw new StreamException("Stream " + this.stream + " has no leader now");
		}
		return members;
	}

	private StreamState state(Address node) {
		try (Client client = connect(node)) {
			StreamStatsResponse stats = client.streamStats(this.stream);
			if (!stats.isOk()) {
				throw new StreamException("Stream " + this.stream + " can't be queried", stats.getResponseCode());
			}
			return StreamState.of(stats.getInfo());
		}
	}

	private Client connect(Address node) {
		ClientParameters parameters = new ClientParameters().host(node.host())
			.port(node.port())
			.username(this.settings.username())
			.password(this.settings.password())
			.virtualHost(this.settings.virtualHost());
		if (this.settings.tls() != null) {
			parameters.sslContext(this.settings.tls());
		}
		return new Client(parameters);
	}

}
