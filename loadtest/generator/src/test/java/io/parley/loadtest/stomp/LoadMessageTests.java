package io.parley.loadtest.stomp;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadMessageTests {

	private final LoadMessage message = new LoadMessage("0123abcd", 42, 99);

	@Test
	void isReadFromAPaddedTextToo() {
		assertThat(this.message.text(500)).hasSize(500);
		assertThat(LoadMessage.parse(this.message.text(500))).isEqualTo(this.message);
	}

	@Test
	void needsNoPaddingWhenItIsLongEnough() {
		assertThat(this.message.text(5)).isEqualTo(this.message.text());
	}

}
