package io.parley.store.config;

import io.parley.store.account.AccountChanges;
import io.parley.store.account.AccountInviteRepository;
import io.parley.store.account.ExternalIdentities;
import io.parley.store.account.ExternalSignOutRepository;
import io.parley.store.account.PasswordResets;
import io.parley.store.audit.AuditEventRepository;
import io.parley.store.draft.DraftRepository;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.ReactionRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.log.WrittenFormat;
import io.parley.store.mention.MentionRepository;
import io.parley.store.presence.LastSeenRepository;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushRecipients;
import io.parley.store.push.PushTaskRepository;
import io.parley.store.report.MessageReportRepository;
import io.parley.store.room.Memberships;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.room.RoomMembers;
import io.parley.store.room.RoomRoleRepository;
import io.parley.store.room.SlowModeTurns;
import io.parley.store.room.UnconfirmedChanges;
import io.parley.store.scheduled.ScheduledMessageRepository;
import io.parley.store.thread.ThreadMembers;
import io.parley.store.thread.ThreadRepository;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.PropertySource;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.orm.jpa.JpaTransactionManager;

/**
 * Registers the store in an application: entities, Spring Data repositories and the
 * classes that use JDBC. Methods of repositories have no transaction unless they are
 * {@code @Transactional}: one around a single query would take three more round trips. An
 * inherited method that writes fails until the repository declares it with the
 * annotation.
 */
@AutoConfiguration(before = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
@AutoConfigurationPackage(basePackages = ChatStoreAutoConfiguration.STORE)
@EnableJpaRepositories(basePackages = ChatStoreAutoConfiguration.STORE, queryEnhancerSelector = PlainQueries.class,
		enableDefaultTransactions = false)
@PropertySource("classpath:chat-store.properties")
@Import({ AccountChanges.class, AccountInviteRepository.class, AuditEventRepository.class, DataSourceDefaults.class,
		DraftRepository.class, ExternalIdentities.class, ExternalSignOutRepository.class, H2Migrations.class,
		LastSeenRepository.class, LogEpochs.class, LostSessionRepository.class, Memberships.class,
		MySqlPasswordCheck.class, NodePresence.class, ParkedEvents.class, PasswordResets.class, PushLogRepository.class,
		PushRecipients.class, PushTaskRepository.class, ReadMarkerRepository.class, ReaderOffsets.class,
		MentionRepository.class, MessageReportRepository.class, MessageStateRepository.class, ReactionRepository.class,
		RoomEventRepository.class, RoomMembers.class, RoomPresence.class, RoomRoleRepository.class,
		ScheduledMessageRepository.class, SlowModeTurns.class, ThreadMembers.class, ThreadRepository.class,
		UnconfirmedChanges.class, WrittenFormat.class })
public class ChatStoreAutoConfiguration {

	static final String STORE = "io.parley.store";

	/** Makes JPA throw the same exceptions as JDBC, for which this is the default. */
	@Bean
	SQLExceptionTranslator exceptionTranslator() {
		return new SQLExceptionSubclassTranslator();
	}

	@Bean
	JpaTransactionManager transactionManager(ObjectProvider<TransactionManagerCustomizers> customizers) {
		JpaTransactionManager manager = new StoreTransactionManager();
		customizers.ifAvailable((all) -> all.customize(manager));
		return manager;
	}

}
