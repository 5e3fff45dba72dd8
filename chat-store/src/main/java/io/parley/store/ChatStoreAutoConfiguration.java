package io.parley.store;

import io.parley.store.event.RoomEvents;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.log.WrittenFormat;
import io.parley.store.presence.LostSessions;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.Devices;
import io.parley.store.push.PushLog;
import io.parley.store.push.PushSettings;
import io.parley.store.push.PushTasks;
import io.parley.store.room.Blocks;
import io.parley.store.room.Memberships;
import io.parley.store.room.ReadMarkers;
import io.parley.store.room.UnconfirmedChanges;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;

/** Gives an application the store: entities, repositories, and the JDBC classes. */
@AutoConfiguration(before = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
@AutoConfigurationPackage
@PropertySource("classpath:chat-store.properties")
@Import({ Blocks.class, DataSourceDefaults.class, Devices.class, H2Migrations.class, LogEpochs.class,
		LostSessions.class, Memberships.class, NodePresence.class, ParkedEvents.class, PushLog.class,
		PushSettings.class, PushTasks.class, ReaderOffsets.class, ReadMarkers.class, RoomEvents.class,
		RoomPresence.class, UnconfirmedChanges.class, WrittenFormat.class })
public class ChatStoreAutoConfiguration {

}
