package io.parley.log.rabbitmq;

import com.rabbitmq.stream.Environment;
import io.parley.log.LogUnavailableException;

/**
 * The protocol by which the processes of a log agree on its identity and declare its
 * streams.
 *
 * <p>
 * An identity is announced before its streams are declared, and marked as ready when all
 * of them exist. A stream that is missing although its identity is ready was therefore
 * deleted: its offsets will begin again at 0, and a new identity must distinguish them
 * from the old ones.
 */
final class IdentityAgreement {

	private final Environment environment;

	private final RabbitTopology topology;

	private final IdentityStream stream;

	private volatile long version;

	IdentityAgreement(Environment environment, RabbitTopology topology) {
		this.environment = environment;
		this.topology = topology;
		this.stream = new IdentityStream(environment, topology.identity());
	}

	/**
	 * Returns the identity that all processes use from now on; its streams exist.
	 * @throws LogUnavailableException if the log has another number of partitions
	 */
	RabbitLogIdentity reach() {
		this.topology.declareIdentity(this.environment);
		while (true) {
			RabbitLogIdentity last = this.stream.last();
			if (last == null) {
				this.stream.offer(RabbitLogIdentity.first(this.topology.partitions().size()));
				continue;
			}
			check(last);
			if (!last.ready()) {
				this.topology.declareMissing(this.environment);
				this.stream.offer(last.asReady());
			}
			// Checked after the identity was read as ready; see the class comment.
			else if (!this.topology.missing(this.environment).isEmpty()) {
				this.stream.offer(last.successor());
			}
			else if (last.equals(this.stream.last())) {
				this.version = this.stream.version();
				return last;
			}
		}
	}

	/**
	 * Returns whether the identity is still valid, that is, no other process has begun a
	 * new log.
	 */
	boolean holds(RabbitLogIdentity identity) {
		long now = this.stream.version();
		if (now != this.version) {
			RabbitLogIdentity last = this.stream.last();
			if (last == null || !last.id().equals(identity.id())) {
				return false;
			}
			this.version = now;
		}
		return true;
	}

	/** Announces a new identity to all processes that open the log from now on. */
	void replace(RabbitLogIdentity identity) {
		this.topology.declareIdentity(this.environment);
		this.stream.offer(identity.successor());
	}

	private void check(RabbitLogIdentity identity) {
		int configured = this.topology.partitions().size();
		if (identity.partitions() != configured) {
			throw new LogUnavailableException("The log in the streams beside '" + this.topology.identity() + "' has "
					+ identity.partitions() + " partitions, " + configured + " are configured: set it back to "
					+ identity.partitions() + ", or begin a new log with another stream prefix");
		}
	}

}
