package io.parley.loadtest.user;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.user.RestApi.Tokens;
import io.parley.loadtest.user.RoomPlan.Kind;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The users of a run and their rooms, as they are at the server. A file keeps them for a
 * later run, after the database was filled.
 */
public record People(List<Person> persons, List<Room> rooms) {

	/** The server hashes passwords slowly on purpose. */
	private static final int SIGN_UPS_AT_ONCE = 4;

	private static final int REQUESTS_AT_ONCE = 8;

	private static final int ATTEMPTS = 30;

	private static final Duration PAUSE = Duration.ofSeconds(1);

	/**
	 * A user.
	 */
	public record Person(String username, String password) {

		/**
		 * Omits the password.
		 */
		@Override
		public String toString() {
			return "Person[" + this.username + "]";
		}

	}

	/**
	 * A room.
	 *
	 * @param members numbers of persons
	 */
	public record Room(String id, Kind kind, List<Integer> members) {
	}

	/** A person with valid tokens. */
	public record SignedIn(Person person, Tokens tokens) {
	}

	/**
	 * Signs up users and creates the planned rooms.
	 * @throws LoadTestException with the server's answer when it rejects a request
	 */
	public static People create(RestApi api, String run, int users, List<RoomPlan> plans) {
		List<SignedIn> all = inParallel("users", users, SIGN_UPS_AT_ONCE, (n) -> {
			Person person = new Person("lt-" + run + "-" + n, UUID.randomUUID().toString());
			return new SignedIn(person, patiently(() -> api.signUp(person.username(), person.password())));
		});
		List<Room> rooms = inParallel("rooms", plans.size(), REQUESTS_AT_ONCE,
				(n) -> open(api, "lt-" + run + "-" + n, plans.get(n), all));
		return new People(all.stream().map(SignedIn::person).toList(), rooms);
	}

	/**
	 * Channels are joined by each member, because a user may invite only so many others.
	 */
	private static Room open(RestApi api, String name, RoomPlan plan, List<SignedIn> all) {
		List<SignedIn> members = plan.members().stream().map(all::get).toList();
		SignedIn creator = members.getFirst();
		boolean channel = plan.kind() == Kind.CHANNEL;
		List<String> invited = members.stream().skip(1).map((member) -> member.person().username()).toList();
		String id = api.createRoom(creator.tokens().accessToken(), (plan.kind() == Kind.DIRECT) ? null : name,
				plan.kind().wireName(), channel ? List.of() : invited);
		if (channel) {
			members.stream()
				.skip(1)
				.forEach((member) -> api.join(member.tokens().accessToken(), id, member.person().username()));
		}
		return new Room(id, plan.kind(), plan.members());
	}

	/**
	 * Signs all users in.
	 */
	public List<SignedIn> signIn(RestApi api) {
		return inParallel("sign-ins", this.persons.size(), SIGN_UPS_AT_ONCE, (n) -> {
			Person person = this.persons.get(n);
			return new SignedIn(person, patiently(() -> api.logIn(person.username(), person.password())));
		});
	}

	/**
	 * Repeats a request that a busy server has put off: it hashes only so many passwords
	 * at once.
	 */
	private static <T> T patiently(Supplier<T> request) {
		for (int n = 1; n < ATTEMPTS; n++) {
			try {
				return request.get();
			}
			catch (LoadTestException ex) {
				if (!RestApi.reason(ex).startsWith("503")) {
					throw ex;
				}
				Waiting.pass(PAUSE);
				Interrupt.check();
			}
		}
		return request.get();
	}

	private static <T> List<T> inParallel(String what, int count, int atOnce, IntFunction<T> action) {
		List<T> done = new ArrayList<>(count);
		IntStream.range(0, count).boxed().gather(Gatherers.mapConcurrent(atOnce, action::apply)).forEach((one) -> {
			Interrupt.check();
			done.add(one);
			if (done.size() % 500 == 0 || done.size() == count) {
				System.out.printf("%,d of %,d %s%n", done.size(), count, what);
			}
		});
		return done;
	}

	/**
	 * Writes the file, readable by its owner only, because it has passwords.
	 */
	public void write(Path file) {
		try {
			Files.deleteIfExists(file);
			if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
				Files.createFile(file,
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
			}
			Files.write(file, JsonMapper.shared().writeValueAsBytes(this));
		}
		catch (IOException ex) {
			throw new LoadTestException("The users cannot be written to %s (%s): pass another file with --people."
				.formatted(file, ex.getMessage()));
		}
	}

	/**
	 * Reads a file that {@link #write} has written.
	 */
	public static People read(Path file) {
		try {
			People people = JsonMapper.shared().readValue(Files.readAllBytes(file), People.class);
			if (people != null && people.persons != null && people.rooms != null && !people.persons.isEmpty()) {
				return people;
			}
		}
		catch (IOException | JacksonException ex) {
			// The sentence below says what to do in each case.
		}
		throw new LoadTestException(
				"%s is no file of users: pass one that an earlier run with --people has written, or a new name."
					.formatted(file));
	}

}
