package io.parley.notification;

import io.parley.store.OnMySql;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.NodePresence;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomRepository;

import org.springframework.transaction.PlatformTransactionManager;

@OnMySql
class NotificationWorkerOnMySqlIntegrationTests extends NotificationWorkerTests {

	NotificationWorkerOnMySqlIntegrationTests(RoomRepository rooms, MemberRepository members, NodePresence presence,
			ParkedEvents parked, ReaderOffsets offsets, LogEpochs epochs, TemporaryLogs logs,
			PlatformTransactionManager transactions) {
		super(rooms, members, presence, parked, offsets, epochs, logs, transactions);
	}

}
