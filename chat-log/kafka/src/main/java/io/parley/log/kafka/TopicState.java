package io.parley.log.kafka;

import java.util.List;

import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the brokers say about the topic of the log.
 *
 * @param id made with the topic, and another one since records were lost
 * @param minInSync how many brokers must have a record before it is confirmed
 */
record TopicState(String id, int minInSync, List<PartitionState> partitions) {

	/**
	 * One partition of it.
	 *
	 * @param start the offset of the oldest record, -1 when no leader could be asked
	 * @param end the offset after the newest record, -1 when no leader could be asked
	 */
	record PartitionState(TopicPartitionInfo info, long start, long end) {

		boolean hasLeader() {
			return this.info.leader() != null && !this.info.leader().isEmpty();
		}

		boolean isKnown() {
			return this.start >= 0 && this.end >= 0;
		}

	}

	/** Why a record could not be appended to that partition, null when it could. */
	@Nullable String trouble(int partition) {
		PartitionState state = this.partitions.get(partition);
		if (!state.hasLeader()) {
			return "Partition " + partition + " of the log has no leader: look whether all Kafka brokers run";
		}
		int inSync = state.info().isr().size();
		return (inSync >= this.minInSync) ? null : "Partition " + partition + " of the log is on " + inSync + " of the "
				+ this.minInSync + " Kafka brokers that must have a record: look whether all run";
	}

}
