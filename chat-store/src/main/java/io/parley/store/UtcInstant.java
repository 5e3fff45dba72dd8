package io.parley.store;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.InstantJavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.jspecify.annotations.Nullable;

/** Maps an attribute to a column as {@link UtcTime} does. */
public class UtcInstant extends InstantJavaType {

	@Override
	public JdbcType getRecommendedJdbcType(JdbcTypeIndicators context) {
		return context.getJdbcType(SqlTypes.LOCAL_DATE_TIME);
	}

	@Override
	public <X> @Nullable X unwrap(@Nullable Instant value, Class<X> type, WrapperOptions options) {
		return (value != null && type == LocalDateTime.class) ? type.cast(UtcTime.of(value))
				: super.unwrap(value, type, options);
	}

	@Override
	public <X> @Nullable Instant wrap(@Nullable X value, WrapperOptions options) {
		return (value instanceof LocalDateTime time) ? time.toInstant(ZoneOffset.UTC) : super.wrap(value, options);
	}

}
