package io.parley.loadtest.local;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class NginxConfigurationTests {

	@TempDir
	private Path folder;

	@Test
	void isThatOfTheContainerWithOtherPaths() throws Exception {
		Path written = NginxConfiguration.write(Path.of("../nginx"), this.folder, "127.0.0.1:18080", "127.0.0.1:28080");
		assertThat(Files.readString(written)).doesNotContain("${CHAT_", "/etc/nginx", "/run/", "/dev/std")
			.contains("listen 127.0.0.1:18080 backlog", "server 127.0.0.1:28080 resolve max_fails=0;")
			.contains("pid " + this.folder + "/nginx.pid;", "proxy_temp_path " + this.folder + "/proxy;");
	}

	@Test
	void needsAVersionThatResolvesServers() {
		assertThat(LocalNginx.number("nginx version: nginx/1.27.3")).isEqualTo(1_027_003);
		assertThat(LocalNginx.number("nginx version: nginx/1.30.0")).isGreaterThan(1_027_003);
		assertThat(LocalNginx.number("nginx version: nginx/1.22.1")).isLessThan(1_027_003);
	}

}
