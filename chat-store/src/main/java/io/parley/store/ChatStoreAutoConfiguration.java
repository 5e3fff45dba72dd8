package io.parley.store;

import io.parley.store.event.RoomEventRepository;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.log.WrittenFormat;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTaskRepository;
import io.parley.store.room.BlockRepository;
import io.parley.store.room.Memberships;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.room.UnconfirmedChanges;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;

/**
 * Registers the store in an application: entities, Spring Data repositories and the
 * classes that use JDBC.
 */
@AutoConfiguration(before = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
@AutoConfigurationPackage
@PropertySource("classpath:chat-store.properties")
@Import({ BlockRepository.class, DataSourceDefaults.class, DeviceRepository.class, H2Migrations.class, LogEpochs.class,
		LostSessionRepository.class, Memberships.class, NodePresence.class, ParkedEvents.class, PushLogRepository.class,
		PushSettingRepository.class, PushTaskRepository.class, ReaderOffsets.class, ReadMarkerRepository.class,
		RoomEventRepository.class, RoomPresence.class, UnconfirmedChanges.class, WrittenFormat.class })
public class ChatStoreAutoConfiguration {

}
