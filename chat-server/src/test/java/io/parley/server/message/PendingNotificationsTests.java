package io.parley.server.message;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

import io.parley.server.error.StoreFailures;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PendingNotificationsTests {

	private final Set<String> notified = new HashSet<>();

	private Consumer<Set<String>> notify = this.notified::addAll;

	private final PendingNotifications<String> pending = new PendingNotifications<>((keys) -> this.notify.accept(keys));

	@Test
	void notifiesOnceOfEachChange() {
		this.pending.add("r1");
		this.pending.add("r1");
		this.pending.send();
		assertThat(this.notified).containsExactly("r1");
		this.notified.clear();
		this.pending.send();
		assertThat(this.notified).isEmpty();
	}

	@Test
	void keepsEverythingWhileTheDatabaseIsUnavailable() {
		this.pending.add("r1");
		this.pending.add("r2");
		Consumer<Set<String>> works = this.notify;
		this.notify = (keys) -> {
			throw StoreFailures.unavailable();
		};
		this.pending.send();
		this.notify = works;
		this.pending.send();
		assertThat(this.notified).containsExactlyInAnyOrder("r1", "r2");
	}

	@Test
	void aFailureOfOneKeepsNobodyElseWaitingAndIsNotRepeated() {
		this.pending.add("r1");
		this.pending.add("broken");
		this.pending.add("r2");
		Consumer<Set<String>> works = this.notify;
		this.notify = (keys) -> {
			if (keys.contains("broken")) {
				throw new IllegalStateException("broken");
			}
			works.accept(keys);
		};
		this.pending.send();
		assertThat(this.notified).containsExactlyInAnyOrder("r1", "r2");
		this.notified.clear();
		this.pending.send();
		assertThat(this.notified).isEmpty();
	}

}
