package io.parley.server.room;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;

import io.parley.server.error.ErrorCode;
import io.parley.store.room.Block;
import io.parley.store.room.BlockRepository;
import io.parley.store.room.RoomRepository;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Stores which users have blocked each other, and enforces the blocks. */
@Component
class BlockService {

	/** Maximum number of users that one user may block. */
	private static final int MAX_BLOCKED = 1_000;

	private final BlockRepository blocks;

	private final RoomRepository rooms;

	private final ApplicationEventPublisher events;

	BlockService(BlockRepository blocks, RoomRepository rooms, ApplicationEventPublisher events) {
		this.blocks = blocks;
		this.rooms = rooms;
		this.events = events;
	}

	/** Blocks a user. Does not reveal whether that user exists. */
	void block(String user, String other) {
		if (user.equals(other)) {
			throw ErrorCode.BAD_REQUEST.because("You cannot block yourself.");
		}
		if (!this.blocks.add(user, other, MAX_BLOCKED, Instant.now().truncatedTo(ChronoUnit.MILLIS))) {
			throw ErrorCode.NOT_ALLOWED.because("You have blocked " + MAX_BLOCKED + " users; unblock one first.");
		}
		publishChange(user, other);
	}

	void unblock(String user, String other) {
		this.blocks.remove(user, other);
		publishChange(user, other);
	}

	private void publishChange(String user, String other) {
		this.rooms.findByDirectKey(DirectKey.of(user, other))
			.ifPresent((room) -> this.events.publishEvent(new BlockChanged(room.getId(), user, other)));
	}

	List<Block> of(String user) {
		return this.blocks.of(user);
	}

	/** Requires that neither of the two users has blocked the other. */
	void requireNoneBetween(String user, String peer) {
		if (this.blocks.between(user, peer)) {
			throw ErrorCode.NOT_ALLOWED.because("Messages between the two of you are blocked.");
		}
	}

	/** Requires that none of the users has blocked the one who brings them in. */
	void requireMayBringIn(String by, Collection<String> users) {
		List<String> blockers = this.blocks.blockersAmong(users, by);
		if (!blockers.isEmpty()) {
			throw ErrorCode.NOT_ALLOWED.because("You cannot bring in '" + blockers.getFirst() + "'; leave them out.");
		}
	}

}
