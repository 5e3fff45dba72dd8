package io.parley.nginx;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;

/** For containers that may end at once: what they print is looked at. */
final class AnyStart extends StartupCheckStrategy {

	@Override
	public StartupStatus checkStartupState(DockerClient client, String container) {
		return StartupStatus.SUCCESSFUL;
	}

}
