package io.parley.trace;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Offers {@link MessageTracer} to the programs, off unless an endpoint is set. */
@AutoConfiguration
@EnableConfigurationProperties(TracingProperties.class)
class TracingAutoConfiguration {

	@Bean(destroyMethod = "close")
	MessageTracer messageTraces(TracingProperties properties, Environment environment) {
		String endpoint = properties.endpoint();
		if (endpoint == null || endpoint.isEmpty()) {
			return MessageTracer.off();
		}
		OtlpHttpSpanExporterBuilder otlp = OtlpHttpSpanExporter.builder().setEndpoint(endpoint);
		properties.headers().forEach(otlp::addHeader);
		WarningExporter exporter = new WarningExporter(otlp.build(), endpoint);
		return MessageTracer.on(BatchSpanProcessor.builder(exporter).build(), process(environment), properties.share());
	}

	/** Describes this process, in the terms of OpenTelemetry. */
	private static Resource process(Environment environment) {
		return Resource.getDefault()
			.toBuilder()
			.put(AttributeKey.stringKey("service.namespace"), "parley")
			.put(AttributeKey.stringKey("service.name"), environment.getProperty("spring.application.name", "parley"))
			.put(AttributeKey.stringKey("service.instance.id"), instance(environment))
			.build();
	}

	private static String instance(Environment environment) {
		String id = environment.getProperty("chat.node.id");
		try {
			return (id != null) ? id : InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

}
