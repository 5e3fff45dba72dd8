package io.parley.loadtest.study.peers;

import java.nio.file.Path;
import java.util.Map;

import io.parley.loadtest.study.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SocketIoPeerTests {

	@Test
	void writesTheServerThatLoadsTheLibraryOfTheOption(@TempDir Path folder) {
		PeersCommand options = new PeersCommand();
		options.socketio = Path.of("somewhere");
		SocketIoPeer peer = new SocketIoPeer();
		try (Resources open = new Resources()) {
			Map<String, String> environment = peer.prepare(options, folder, open);
			assertThat(environment).containsEntry("NODE_PATH",
					Path.of("somewhere/node_modules").toAbsolutePath().toString());
		}
		String server = peer.arguments(peer.configurationFile()).getFirst();
		assertThat(folder.resolve(server)).content().contains("require(\"socket.io\")");
	}

}
