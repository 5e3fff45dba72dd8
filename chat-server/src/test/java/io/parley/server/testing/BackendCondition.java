package io.parley.server.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Skips tests on a backend that this machine cannot start. */
public class BackendCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return (!Backends.needsDocker() || DockerClientFactory.instance().isDockerAvailable())
				? ConditionEvaluationResult.enabled("The backend can be started")
				: ConditionEvaluationResult.disabled("No Docker engine answers: start one to test with RabbitMQ");
	}

}
