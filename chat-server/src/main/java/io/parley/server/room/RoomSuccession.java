package io.parley.server.room;

import java.util.Optional;

import io.parley.server.account.AccountDisabled;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomRole;
import io.parley.store.room.RoomRoleRepository;
import io.parley.store.room.RoomRoleRepository.Heir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Passes the rooms of a user on whose account was disabled. */
@Component
class RoomSuccession {

	private static final Logger log = LoggerFactory.getLogger(RoomSuccession.class);

	private final MemberRepository members;

	private final RoomRoleRepository roles;

	private final RoleEvents events;

	private final TransactionTemplate transaction;

	RoomSuccession(MemberRepository members, RoomRoleRepository roles, RoleEvents events,
			TransactionTemplate transaction) {
		this.members = members;
		this.roles = roles;
		this.events = events;
		this.transaction = transaction;
	}

	/** A room without other members keeps its owner. */
	@EventListener
	void passOnAll(AccountDisabled disabled) {
		String user = disabled.username();
		for (String room : this.members.ownedBy(user)) {
			try {
				passOn(room, user);
			}
			catch (DataAccessException | TransactionException ex) {
				log.warn("Room {} keeps its owner {}, whose account is disabled", room, user, ex);
			}
		}
	}

	private void passOn(String room, String user) {
		Optional<Heir> passed = this.transaction.execute((status) -> {
			this.roles.lock(room);
			return Optional.ofNullable(this.roles.passOn(room, user));
		});
		passed.ifPresent((heir) -> {
			this.events.signal(room, user, user, RoomRole.MEMBER, null);
			this.events.tellHeir(room, user, heir);
		});
	}

}
