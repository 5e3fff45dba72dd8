package io.parley.log.kafka;

import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The topics of a log, as data.
 *
 * @param log has the partitions of the log. The brokers remove nothing from it, because
 * their retention would not wait for the readers
 * @param leases has one partition, which one reader of a name at a time owns. It contains
 * one record for each time that the log has lost records, after which a new log began
 * @param signals has one partition and keeps records for one minute; created when a
 * process listens
 */
record KafkaTopology(NewTopic log, NewTopic leases, NewTopic signals) {

	static KafkaTopology of(KafkaLogSettings settings) {
		short replication = (short) settings.replication();
		int majority = settings.replication() / 2 + 1;
		Map<String, String> common = Map.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(majority),
				TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false", TopicConfig.CLEANUP_POLICY_CONFIG,
				TopicConfig.CLEANUP_POLICY_DELETE, TopicConfig.RETENTION_MS_CONFIG, "-1",
				TopicConfig.RETENTION_BYTES_CONFIG, "-1", TopicConfig.SEGMENT_BYTES_CONFIG,
				String.valueOf(settings.segmentBytes()), TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
		return new KafkaTopology(new NewTopic(settings.topic(), settings.partitions(), replication).configs(common),
				new NewTopic(settings.topic() + "-turns", 1, replication).configs(common),
				new NewTopic(settings.topic() + "-signals", 1, replication)
					.configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, "60000", TopicConfig.SEGMENT_MS_CONFIG, "60000")));
	}

	List<NewTopic> all() {
		return List.of(this.log, this.leases);
	}

}
