package io.parley.log.kafka;

import java.util.List;

import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;

/**
 * The state of the log's topic, as reported by the brokers.
 *
 * @param id created with the topic; changes when records were lost
 * @param minInSync how many brokers must have a record before it is confirmed
 */
record TopicState(String id, int minInSync, List<PartitionState> partitions) {

	/**
	 * The state of one partition.
	 *
	 * @param start the offset of the oldest record, -1 if no leader could be asked
	 * @param end the offset after the newest record, -1 if no leader could be asked
	 */
	record PartitionState(TopicPartitionInfo info, long start, long end) {

		boolean hasLeader() {
			return this.info.leader() != null && !this.info.leader().isEmpty();
		}

		boolean isKnown() {
			return this.start >= 0 && this.end >= 0;
		}

	}

	/** Returns why a record could not be appended to this partition, or null. */
	@Nullable String unavailableReason(int partition) {
		PartitionState state = this.partitions.get(partition);
		if (!state.hasLeader()) {
			return "Partition " + partition + " of the log has no leader: check that all Kafka brokers are running";
		}
		int inSync = state.info().isr().size();
		return (inSync >= this.minInSync) ? null : "Partition " + partition + " of the log is on " + inSync + " of the "
				+ this.minInSync + " Kafka brokers that must have a record: check that all are running";
	}

}
