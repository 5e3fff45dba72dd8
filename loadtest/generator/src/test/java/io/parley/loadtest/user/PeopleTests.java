package io.parley.loadtest.user;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.user.People.Person;
import io.parley.loadtest.user.People.Room;
import io.parley.loadtest.user.RoomPlan.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PeopleTests {

	@TempDir
	Path folder;

	@Test
	void areReadAsTheyWereWritten() throws Exception {
		People people = new People(List.of(new Person("a", "secret-1"), new Person("b", "secret-2")),
				List.of(new Room("r", Kind.DIRECT, List.of(0, 1))));
		Path file = this.folder.resolve("people.json");
		Files.writeString(file, "an older file that everybody may read");
		people.write(file);
		assertThat(People.read(file)).isEqualTo(people);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
		assertThat(people.toString()).doesNotContain("secret");
	}

	@Test
	void areNotReadFromAnyOtherFile() throws Exception {
		for (String content : List.of("", "null", "[]", "{}", "{\"persons\":[],\"rooms\":[]}")) {
			Path file = this.folder.resolve("other.json");
			Files.writeString(file, content);
			assertThatExceptionOfType(LoadTestException.class).as(content)
				.isThrownBy(() -> People.read(file))
				.withMessageContaining("is no file of users");
		}
	}

}
