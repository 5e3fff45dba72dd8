package io.parley.server.worker;

import io.parley.log.LogUnavailableException;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if this server hosts the workers; see {@link WorkerProperties}. */
class InProcessCondition implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Environment environment = context.getEnvironment();
		boolean embedded = environment.getProperty("chat.log.backend", "embedded").equalsIgnoreCase("embedded");
		boolean inProcess = environment.getProperty("chat.workers.in-process", Boolean.class, embedded);
		if (embedded && !inProcess) {
			throw new LogUnavailableException(
					"chat.workers.in-process=false cannot be combined with the embedded log, which no other "
							+ "process can read: nothing would be stored. Leave it out, or choose another chat.log.backend.");
		}
		return inProcess;
	}

}
