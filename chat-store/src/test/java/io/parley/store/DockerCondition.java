package io.parley.store;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Skips tests when no Docker engine is available. */
public class DockerCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return (MySqlServer.isHandedOver() || DockerClientFactory.instance().isDockerAvailable())
				? ConditionEvaluationResult.enabled("A Docker engine answers, or a server was handed over")
				: ConditionEvaluationResult.disabled("No Docker engine answers: start one to test on MySQL too");
	}

}
