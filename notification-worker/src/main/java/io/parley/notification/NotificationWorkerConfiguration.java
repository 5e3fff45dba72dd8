package io.parley.notification;

import java.time.Clock;
import java.time.Duration;

import io.parley.log.RoomLog;
import io.parley.log.worker.ReaderSettings;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.NodePresence;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomRepository;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** To be imported by whoever hosts the worker: needs a {@link RoomLog} and the store. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PushProperties.class)
public class NotificationWorkerConfiguration {

	/** Who is away can wait so long for a push. */
	private static final Duration GATHER = Duration.ofMillis(500);

	@Bean
	PushProvider pushProvider(PushProperties properties) {
		return switch (properties.provider()) {
			case LOG -> new LogPushProvider();
			case FCM -> throw new IllegalStateException(
					"chat.push.provider=fcm is not available in this version: set chat.push.provider=log");
		};
	}

	@Bean
	MessagePusher messagePusher(MemberRepository members, NodePresence presence, RoomRepository rooms,
			PushProvider provider) {
		return new MessagePusher(new AwayMembers(members, presence, Clock.systemUTC()), rooms, provider);
	}

	@Bean
	MessageReader messageReader(RoomLog log, LogEpochs epochs, ReaderOffsets offsets, ParkedEvents parked,
			MessagePusher pusher, PlatformTransactionManager transactions) {
		return new MessageReader(new TransactionTemplate(transactions), offsets, parked, pusher,
				epochs.current(log.id(), log.partitions()));
	}

	@Bean
	NotificationWorker notificationWorker(RoomLog log, MessageReader messages, ApplicationEventPublisher events) {
		return new NotificationWorker(log, messages, ReaderSettings.of(NotificationWorker.MAX_BATCH).gathering(GATHER),
				events);
	}

}
