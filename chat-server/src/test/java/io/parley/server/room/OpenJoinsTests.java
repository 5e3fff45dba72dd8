package io.parley.server.room;

import java.util.stream.Stream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OpenJoinsTests {

	@ParameterizedTest
	@MethodSource
	@Timeout(10)
	void aFailureEndsTheWait(Throwable failure) {
		OpenJoins joins = new OpenJoins(null, null, null, null, new TransactionTemplate() {

			@Override
			public <T> T execute(TransactionCallback<T> action) {
				return OpenJoinsTests.<T, RuntimeException>fail(failure);
			}

		});
		assertThatThrownBy(() -> joins.join("room", "anna")).isSameAs(failure);
	}

	static Stream<Throwable> aFailureEndsTheWait() {
		return Stream.of(new QueryTimeoutException("slow"), new StackOverflowError());
	}

	@SuppressWarnings("unchecked")
	private static <T, X extends Throwable> T fail(Throwable failure) throws X {
		throw (X) failure;
	}

}
