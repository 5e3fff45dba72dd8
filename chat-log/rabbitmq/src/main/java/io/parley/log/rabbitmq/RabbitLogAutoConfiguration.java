package io.parley.log.rabbitmq;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties.Backend;
import io.parley.log.config.LogProperties.Rabbitmq;
import io.parley.log.config.RoomLogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.context.annotation.Bean;

/** Offers the log in RabbitMQ, for {@code chat.log.backend=rabbitmq}. */
@AutoConfiguration
class RabbitLogAutoConfiguration {

	@Bean
	RoomLogFactory rabbitLog(ObjectProvider<SslBundles> bundles) {
		return new RoomLogFactory(Backend.RABBITMQ, (properties) -> open(properties.partitions(), properties.rabbitmq(),
				tls(properties.rabbitmq().sslBundle(), bundles)));
	}

	private static RoomLog open(int partitions, Rabbitmq settings, @Nullable SslContext tls) {
		return RabbitRoomLog.open(new RabbitLogSettings(settings.nodes(), settings.username(), settings.password(),
				settings.virtualHost(), settings.streamPrefix(), partitions, settings.maxAge(),
				settings.maxLength().toBytes(), settings.segmentSize().toBytes(), settings.confirmTimeout(),
				settings.inFlight(), settings.startTimeout(), tls));
	}

	private static @Nullable SslContext tls(@Nullable String bundle, ObjectProvider<SslBundles> bundles) {
		if (bundle == null) {
			return null;
		}
		SslManagerBundle managers = bundles.getObject().getBundle(bundle).getManagers();
		try {
			return SslContextBuilder.forClient()
				.trustManager(managers.getTrustManagerFactory())
				.keyManager(managers.getKeyManagerFactory())
				// Checks that the certificate was issued for the host.
				.endpointIdentificationAlgorithm("HTTPS")
				.build();
		}
		catch (SSLException ex) {
			throw new LogUnavailableException("chat.log.rabbitmq.ssl-bundle=" + bundle + " can't be used ("
					+ ex.getMessage() + "): correct that bundle in spring.ssl.bundle", ex);
		}
	}

}
