package io.parley.server.json;

import io.parley.server.limits.LimitProperties;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures JSON binding to refuse values of the wrong type instead of converting them.
 */
@Configuration
class JsonConfiguration {

	@Bean
	JsonMapperBuilderCustomizer refuseOtherTypes() {
		return (builder) -> builder.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
			.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
			.withCoercionConfigDefaults((all) -> all.setAcceptBlankAsEmpty(true)
				.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
			.withCoercionConfig(LogicalType.Textual,
					(strings) -> strings.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
						.setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
						.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
	}

	@Bean
	StrictJson strictJson(LimitProperties limits) {
		return new StrictJson(limits.messageBytes());
	}

}
