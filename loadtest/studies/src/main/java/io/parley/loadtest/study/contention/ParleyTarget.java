package io.parley.loadtest.study.contention;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.loadtest.study.client.StudyUsers;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rooms of Parley. The creator of a room takes one place in addition to the places
 * for joining users.
 */
final class ParleyTarget extends JoinTarget {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final URI url;

	private final RestApi api;

	private final Account owner;

	private final List<Account> joiners;

	ParleyTarget(URI url, int users) {
		this.url = url;
		this.api = new RestApi(url);
		List<Account> all = StudyUsers.signUp(this.api, users + 1);
		this.owner = all.getFirst();
		this.joiners = all.subList(1, users + 1);
	}

	@Override
	String newRoom(int places) {
		return this.api.createRoom(this.owner.token(), "contention", places + 1);
	}

	@Override
	HttpRequest joining(String room, int user) {
		Account joiner = this.joiners.get(user);
		return request("/api/rooms/" + room + "/members", joiner).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"username\":\"%s\"}".formatted(joiner.username())))
			.build();
	}

	@Override
	Answer read(HttpResponse<String> response) {
		return switch (response.statusCode()) {
			case 201 -> Answer.JOINED;
			case 409 -> JSON.readTree(response.body()).path("code").asString("").equals("room-full") ? Answer.FULL
					: Answer.ERROR;
			default -> Answer.ERROR;
		};
	}

	@Override
	Set<Integer> members(String room) throws Exception {
		String path = "/api/rooms/" + room;
		int counted = JSON.readTree(ask(request(path, this.owner).build())).path("memberCount").asInt();
		Set<String> names = names(path + "/members?after=");
		if (counted != names.size()) {
			throw new IllegalStateException("Parley counts " + counted + " members and names " + names.size());
		}
		return IntStream.range(0, this.joiners.size())
			.filter((n) -> names.contains(this.joiners.get(n).username()))
			.boxed()
			.collect(Collectors.toSet());
	}

	private Set<String> names(String pages) throws Exception {
		SequencedSet<String> names = new LinkedHashSet<>();
		int before;
		do {
			before = names.size();
			String last = names.isEmpty() ? "" : names.getLast();
			JSON.readTree(ask(request(pages + last, this.owner).build()))
				.path("members")
				.forEach((member) -> names.add(member.path("username").asString("")));
		}
		while (names.size() > before);
		return names;
	}

	private HttpRequest.Builder request(String path, Account user) {
		return HttpRequest.newBuilder(this.url.resolve(path)).header("Authorization", "Bearer " + user.token());
	}

	@Override
	public void close() {
		super.close();
		this.api.close();
	}

}
