package io.parley.loadtest.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.local.ChildProcess.Ending;
import io.parley.loadtest.report.HeapSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@DisabledOnOs(OS.WINDOWS)
class ChildProcessTests {

	private final Path folder = ChildProcess.folder();

	@Test
	void showsTheEndOfTheLogOfOneThatDies() {
		ChildProcess child = start("for n in $(seq 1 20); do echo line $n; done; echo port taken >&2", Ending.SIGNAL);
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> child.await(() -> false, HeapSource.NONE))
			.withMessageStartingWith("The child did not become ready. The end of its log:\nline 7\n")
			.withMessageEndingWith("line 20\nport taken");
		assertThat(this.folder).doesNotExist();
	}

	@Test
	void endsOneThatListensToSignalsAndDeletesItsFolder() {
		ChildProcess child = start("echo here > file; exec sleep 600", Ending.SIGNAL);
		child.await(() -> Files.exists(this.folder.resolve("file")), HeapSource.NONE);
		assertThat(ProcessHandle.of(child.pid())).isPresent();
		child.close();
		assertThat(ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive)).isEmpty();
		assertThat(this.folder).doesNotExist();
	}

	@Test
	void letsOneThatListensToItsInputEndByItself(@TempDir Path other) {
		ChildProcess child = start("echo here > file; cat; echo done > " + other + "/file", Ending.INPUT);
		child.await(() -> Files.exists(this.folder.resolve("file")), HeapSource.NONE);
		child.close();
		assertThat(other.resolve("file")).hasContent("done");
	}

	@Test
	void addsVariablesToTheEnvironment() {
		ChildProcess child = new ChildProcess("child", this.folder,
				List.of("sh", "-c", "test -n \"$PATH\" && mkdir \"$GREETING\" && exec sleep 600"),
				Map.of("GREETING", "hello"), Ending.SIGNAL);
		child.await(() -> Files.exists(this.folder.resolve("hello")), HeapSource.NONE);
		child.close();
	}

	@Test
	void hasTheOptionsOfTheServersThatUsersStart() throws IOException {
		Path checkout = Path.of("../..");
		assertThat(Files.readString(checkout.resolve("chat"))).contains(ChildProcess.JVM);
		assertThat(Files.readString(checkout.resolve("Dockerfile")))
			.contains(ChildProcess.JVM.stream().filter((option) -> option.startsWith("-XX:")).toList());
	}

	@Test
	void saysHowToBuildAJarThatIsMissing() {
		assertThatExceptionOfType(LoadTestException.class)
			.isThrownBy(() -> ChildProcess.jar(this.folder.resolve("none.jar")))
			.withMessageContaining("none.jar is missing: start the study with \"./chat loadtest\"");
		ScratchFolder.delete(this.folder);
	}

	private ChildProcess start(String script, Ending ending) {
		return new ChildProcess("child", this.folder, List.of("sh", "-c", script), ending);
	}

}
