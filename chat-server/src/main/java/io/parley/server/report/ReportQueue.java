package io.parley.server.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.parley.events.MessagePosted;
import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.MessageLookup;
import io.parley.store.report.MessageReport;
import io.parley.store.report.MessageReportRepository;
import io.parley.store.report.ReportState;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The reports of messages: members make them, moderators decide about those of their
 * room, operators about all. Nobody decides as a moderator about reports of own messages.
 */
@Component
class ReportQueue {

	private final RoomAccess access;

	private final MessageLookup messages;

	private final MessageReportRepository reports;

	private final AuditLog audit;

	private final TransactionTemplate transaction;

	ReportQueue(RoomAccess access, MessageLookup messages, MessageReportRepository reports, AuditLog audit,
			TransactionTemplate transaction) {
		this.access = access;
		this.messages = messages;
		this.reports = reports;
		this.audit = audit;
		this.transaction = transaction;
	}

	/**
	 * A report that was made now or before.
	 *
	 * @param isNew false if the user has reported the message before
	 */
	record Made(MessageReport report, boolean isNew) {
	}

	/**
	 * Reports a message with its current text, once for each user.
	 * @throws ChatException {@code not-a-member}, {@code not-found},
	 * {@code message-deleted}, or {@code bad-request} for an own message
	 */
	Made report(String room, long position, Actor reporter, String reason) {
		String user = String.valueOf(reporter.username());
		this.access.require(RoomAction.READ, room, user);
		Optional<MessageReport> before = this.reports.of(room, position, user);
		if (before.isPresent()) {
			return new Made(before.get(), false);
		}
		MessagePosted message = this.messages.current(room, position);
		if (message.deleted()) {
			throw ErrorCode.MESSAGE_DELETED.because("The message is deleted.");
		}
		if (message.sender().equals(user)) {
			throw ErrorCode.BAD_REQUEST.because("You cannot report your own message; delete it instead.");
		}
		boolean added = Boolean.TRUE.equals(this.transaction.execute((status) -> {
			boolean isNew = this.reports.add(new MessageReport(room, position, message.sender(), user, reason,
					message.text(), Instant.now().truncatedTo(ChronoUnit.MILLIS)));
			if (isNew) {
				this.audit.record(AuditAction.REPORT_CREATED, reporter, message.sender(),
						Map.of("room", room, "position", position));
			}
			return isNew;
		}));
		return new Made(this.reports.of(room, position, user).orElseThrow(), added);
	}

	/** Returns reports of a room for one of its moderators, the newest first. */
	List<MessageReport> ofRoom(String room, String moderator, @Nullable ReportState state, long before, int limit) {
		this.access.require(RoomAction.HANDLE_REPORTS, room, moderator);
		return this.reports.page(room, state, moderator, before, limit);
	}

	/**
	 * Closes a report of a room as one of its moderators.
	 * @throws ChatException {@code not-found} also for reports of other rooms, and of own
	 * messages
	 */
	MessageReport closeInRoom(String room, long id, Actor moderator, ReportState state, @Nullable String note) {
		String user = String.valueOf(moderator.username());
		this.access.require(RoomAction.HANDLE_REPORTS, room, user);
		MessageReport report = require(id);
		if (!report.room().equals(room) || report.sender().equals(user)) {
			throw notFound(id);
		}
		return close(report, moderator, state, note);
	}

	/** Returns reports for operators, the newest first. */
	List<MessageReport> all(@Nullable String room, @Nullable ReportState state, long before, int limit) {
		return this.reports.page(room, state, null, before, limit);
	}

	/**
	 * Closes any report.
	 * @throws ChatException {@code not-found}, or {@code report-closed} if somebody else
	 * has decided, or the same user in another way
	 */
	MessageReport close(long id, Actor operator, ReportState state, @Nullable String note) {
		return close(require(id), operator, state, note);
	}

	private MessageReport close(MessageReport report, Actor by, ReportState state, @Nullable String note) {
		String user = String.valueOf(by.username());
		this.transaction.executeWithoutResult((status) -> {
			if (this.reports.close(report.id(), state, user, Instant.now().truncatedTo(ChronoUnit.MILLIS), note)) {
				this.audit.record(AuditAction.REPORT_CLOSED, by, report.sender(),
						Map.of("report", report.id(), "room", report.room(), "state", state.wireName()));
			}
		});
		MessageReport closed = require(report.id());
		if (closed.state() != state || !user.equals(closed.closedBy())) {
			throw ErrorCode.REPORT_CLOSED.because("The report is " + closed.state().wireName() + " already.");
		}
		return closed;
	}

	private MessageReport require(long id) {
		return this.reports.byId(id).orElseThrow(() -> notFound(id));
	}

	private static ChatException notFound(long id) {
		return ErrorCode.NOT_FOUND.because("There is no report " + id + ".");
	}

}
