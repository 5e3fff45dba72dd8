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
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.log.WrittenFormat;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushRecipients;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTaskRepository;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.room.RoomMembers;
import io.parley.store.room.RoomRepository;
import io.parley.store.thread.ThreadRepository;
import io.parley.trace.MessageTracer;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Configures the worker in the order of its stages: reader, planner, tasks, decider,
 * delivery. For import by the application that hosts it. Needs a {@link RoomLog} and the
 * store.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ PushProperties.class, FcmProperties.class })
@EnableScheduling
public class NotificationWorkerConfiguration {

	/** Pushes to offline users can be delayed by this time. */
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
			ParkedEvents parked, TaskPlanner planner, PushTaskRepository tasks, PushDispatcher dispatcher,
			ProviderFailures failures) {
		format.current();
		return new MessageReader(this.transaction, offsets, parked, planner, tasks, dispatcher::wake, failures,
				this.properties.grace(), this.clock, epochs.current(log));
	}

	@Bean
	TaskPlanner taskPlanner(RoomMembers roomMembers, MemberRepository members, RoomPresence presence,
			PushSettingRepository settings, DeviceRepository devices, ThreadRepository threads) {
		return new TaskPlanner(roomMembers, members, presence, settings, devices, threads, this.properties, this.clock);
	}

	@Bean
	PushDispatcher pushDispatcher(PushTaskRepository tasks, TaskDecider decider, PushDelivery delivery,
			PushResults results, PushTraces traces, ProviderFailures failures) {
		return new PushDispatcher(tasks, decider, delivery, results, traces, this.properties, failures, this.clock);
	}

	@Bean
	PushResults pushResults(PushLogRepository log, PushTaskRepository tasks, DeviceRepository devices,
			MeterRegistry meters) {
		return new PushResults(this.transaction, log, tasks, devices, meters, this.properties.interval(), this.clock);
	}

	@Bean
	PushTraces pushTraces(MessageTracer traces, RoomEventRepository events) {
		return new PushTraces(traces, events);
	}

	@Bean
	TaskDecider taskDecider(RoomRepository rooms, PushRecipients recipients, PushSettingRepository settings,
			DeviceRepository devices, ThreadRepository threads, MessageStateRepository states,
			RoomEventRepository events) {
		return new TaskDecider(rooms, recipients, settings, devices, threads, new PushContents(states, events),
				this.properties);
	}

	@Bean
	PushDelivery pushDelivery(PushProvider provider, MemberRepository members, RoomEventRepository events,
			MessageStateRepository states, ReadMarkerRepository read, PushSettingRepository settings) {
		return new PushDelivery(provider, new Badges(members, events, states, read, settings), this.properties);
	}

	@Bean
	PushProvider pushProvider(FcmProperties fcm, SslBundles bundles, MeterRegistry meters) {
		return switch (this.properties.provider()) {
			case LOG -> new LogPushProvider();
			case FCM -> FcmPushProvider.create(fcm, bundles, meters);
		};
	}

	@Bean
	MissedByLostSessions missedByLostSessions(LostSessionRepository lost, StoredProgress progress,
			RoomEventRepository events, ThreadRepository threads, PushTaskRepository tasks, PushLogRepository log) {
		return new MissedByLostSessions(this.transaction, lost, progress, events, threads, tasks, log, this.properties,
				this.clock);
	}

	@Bean
	StoredProgress storedProgress(RoomLog log, LogEpochs epochs, ReaderOffsets offsets) {
		return new StoredProgress(offsets, log.partitions(), epochs.current(log));
	}

	@Bean
	PushHousekeeping pushHousekeeping(PushLogRepository log, DeviceRepository devices, PushTaskRepository tasks,
			MeterRegistry meters) {
		return new PushHousekeeping(log, devices, tasks, this.properties, meters, this.clock);
	}

}
