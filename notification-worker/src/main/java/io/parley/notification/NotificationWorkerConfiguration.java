package io.parley.notification;

import java.time.Clock;
import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.log.RoomLog;
import io.parley.log.worker.ReaderSettings;
import io.parley.notification.provider.FcmProperties;
import io.parley.notification.provider.FcmPushProvider;
import io.parley.notification.provider.LogPushProvider;
import io.parley.notification.provider.PushProvider;
import io.parley.store.event.RoomEvents;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.log.WrittenFormat;
import io.parley.store.presence.LostSessions;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.Devices;
import io.parley.store.push.PushLog;
import io.parley.store.push.PushSettings;
import io.parley.store.push.PushTasks;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.ReadMarkers;
import io.parley.store.room.RoomRepository;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The worker, top to bottom: reader, planner, tasks, decider, delivery. To be imported by
 * whoever hosts it: needs a {@link RoomLog} and the store.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ PushProperties.class, FcmProperties.class })
@EnableScheduling
public class NotificationWorkerConfiguration {

	/** Who is away can wait so long for a push. */
	private static final Duration GATHER = Duration.ofMillis(500);

	private final Clock clock = Clock.systemUTC();

	private final PushProperties properties;

	private final TransactionTemplate transaction;

	NotificationWorkerConfiguration(PushProperties properties, PlatformTransactionManager transactions) {
		this.properties = properties;
		this.transaction = new TransactionTemplate(transactions);
	}

	@Bean
	NotificationWorker notificationWorker(RoomLog log, MessageReader messages, ApplicationEventPublisher events) {
		return new NotificationWorker(log, messages, ReaderSettings.of(NotificationWorker.MAX_BATCH).gathering(GATHER),
				events);
	}

	@Bean
	ProviderFailures providerFailures() {
		return new ProviderFailures();
	}

	@Bean
	MessageReader messageReader(RoomLog log, WrittenFormat format, LogEpochs epochs, ReaderOffsets offsets,
			ParkedEvents parked, TaskPlanner planner, PushTasks tasks, PushDispatcher dispatcher,
			ProviderFailures failures) {
		format.current();
		return new MessageReader(this.transaction, offsets, parked, planner, tasks, dispatcher::wake, failures,
				this.properties.grace(), this.clock, epochs.current(log));
	}

	@Bean
	TaskPlanner taskPlanner(RoomRepository rooms, MemberRepository members, RoomPresence presence,
			PushSettings settings, Devices devices) {
		return new TaskPlanner(rooms, members, presence, settings, devices, this.properties, this.clock);
	}

	@Bean
	PushDispatcher pushDispatcher(PushTasks tasks, TaskDecider decider, PushDelivery delivery, PushResults results,
			ProviderFailures failures) {
		return new PushDispatcher(tasks, decider, delivery, results, this.properties, failures, this.clock);
	}

	@Bean
	PushResults pushResults(PushLog log, PushTasks tasks, Devices devices, MeterRegistry meters) {
		return new PushResults(this.transaction, log, tasks, devices, meters, this.properties.interval(), this.clock);
	}

	@Bean
	TaskDecider taskDecider(RoomRepository rooms, MemberRepository members, ReadMarkers read, RoomPresence presence,
			PushSettings settings, Devices devices) {
		return new TaskDecider(rooms, members, read, presence, settings, devices, this.properties);
	}

	@Bean
	PushDelivery pushDelivery(PushProvider provider, MemberRepository members, RoomEvents events, ReadMarkers read,
			PushSettings settings) {
		return new PushDelivery(provider, new Badges(members, events, read, settings), this.properties);
	}

	@Bean
	PushProvider pushProvider(FcmProperties fcm, SslBundles bundles, MeterRegistry meters) {
		return switch (this.properties.provider()) {
			case LOG -> new LogPushProvider();
			case FCM -> FcmPushProvider.create(fcm, bundles, meters);
		};
	}

	@Bean
	MissedByLostSessions missedByLostSessions(LostSessions lost, StoredProgress progress, RoomEvents events,
			PushTasks tasks, PushLog log) {
		return new MissedByLostSessions(this.transaction, lost, progress, events, tasks, log, this.properties,
				this.clock);
	}

	@Bean
	StoredProgress storedProgress(RoomLog log, LogEpochs epochs, ReaderOffsets offsets) {
		return new StoredProgress(offsets, log.partitions(), epochs.current(log));
	}

	@Bean
	PushHousekeeping pushHousekeeping(PushLog log, Devices devices, PushTasks tasks, MeterRegistry meters) {
		return new PushHousekeeping(log, devices, tasks, this.properties, meters, this.clock);
	}

}
