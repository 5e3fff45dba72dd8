package io.parley.server.session;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.parley.events.Destination;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubscriptionTableTests {

	private final SubscriptionTable subscriptions = new SubscriptionTable();

	@Test
	void areFoundByTheirIds() {
		SessionSubscription room = to("room");
		this.subscriptions.put("1", room);
		this.subscriptions.put("2", to("other"));
		assertThat(this.subscriptions.get("1")).isSameAs(room);
		assertThat(this.subscriptions.get("3")).isNull();
		assertThat(this.subscriptions.any((subscription) -> subscription == room)).isTrue();
		assertThat(this.subscriptions.size()).isEqualTo(2);
	}

	@Test
	void areReplacedUnderTheSameId() {
		SessionSubscription second = to("second");
		this.subscriptions.put("1", to("first"));
		this.subscriptions.put("1", second);
		assertThat(this.subscriptions.get("1")).isSameAs(second);
		assertThat(this.subscriptions.size()).isEqualTo(1);
	}

	@Test
	void areNotFoundAfterTheirRemoval() {
		SessionSubscription room = to("room");
		this.subscriptions.put("1", room);
		this.subscriptions.put("2", to("other"));
		assertThat(this.subscriptions.remove("1")).isSameAs(room);
		assertThat(this.subscriptions.remove("1")).isNull();
		assertThat(this.subscriptions.any((subscription) -> subscription == room)).isFalse();
		assertThat(this.subscriptions.size()).isEqualTo(1);
	}

	@Test
	void mayChangeDuringIteration() {
		List<String> seen = new ArrayList<>();
		IntStream.range(0, 3).forEach((i) -> this.subscriptions.put(String.valueOf(i), to("room")));
		this.subscriptions.forEach((id, subscription) -> {
			seen.add(id);
			this.subscriptions.remove(id);
			this.subscriptions.put("new" + id, subscription);
		});
		assertThat(seen).containsExactly("0", "1", "2");
		assertThat(this.subscriptions.size()).isEqualTo(3);
	}

	@Test
	void loseNoneOfConcurrentAdditions() {
		CompletableFuture<?>[] adding = IntStream.range(0, 8)
			.mapToObj((thread) -> CompletableFuture.runAsync(
					() -> IntStream.range(0, 100).forEach((i) -> this.subscriptions.put(thread + "-" + i, to("room")))))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(adding).join();
		assertThat(this.subscriptions.size()).isEqualTo(800);
	}

	private static SessionSubscription to(String room) {
		return new SessionSubscription() {

			@Override
			public Destination destination() {
				return new Destination.RoomTopic(room);
			}

			@Override
			public void end() {
			}

		};
	}

}
