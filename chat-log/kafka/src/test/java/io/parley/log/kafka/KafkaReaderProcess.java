package io.parley.log.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.parley.log.LogReader;
import io.parley.log.LogRecord;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * The main class of a child process that claims partition 0 as {@code worker} and prints
 * each record as {@code offset text .}
 */
final class KafkaReaderProcess {

	private KafkaReaderProcess() {
	}

	static void main(String[] args) throws InterruptedException {
		LoggingSystem.get(KafkaReaderProcess.class.getClassLoader()).setLogLevel(null, LogLevel.OFF);
		KafkaRoomLog log = KafkaRoomLog.open(KafkaBroker.settings(args[0], args[1], 1));
		LogReader reader = log.claim("worker", 0, () -> 0);
		while (true) {
			for (LogRecord record : reader.poll(1, Duration.ofSeconds(1))) {
				System.out.println(record.offset() + " " + new String(record.data(), StandardCharsets.UTF_8) + " .");
			}
		}
	}

}
