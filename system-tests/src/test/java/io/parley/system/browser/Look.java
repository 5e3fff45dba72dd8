package io.parley.system.browser;

import java.util.Locale;
import java.util.stream.Stream;

import com.microsoft.playwright.options.ColorScheme;

import static org.assertj.core.api.Assertions.assertThat;

/** A size of the window and its colours. */
record Look(int width, int height, ColorScheme colors) {

	/** Returns a phone and a desktop, light and dark. */
	static Stream<Look> all() {
		return Stream.of(ColorScheme.LIGHT, ColorScheme.DARK)
			.flatMap((colors) -> Stream.of(new Look(360, 740, colors), new Look(1280, 800, colors)));
	}

	ChatPage open(Chromium chromium) {
		return new ChatPage(chromium.browser(), this.width, this.height, this.colors);
	}

	/**
	 * Takes a screenshot, and checks that everything fits into the width and that
	 * axe-core finds nothing serious.
	 */
	void check(ChatPage page, String name) {
		page.screenshot("look-" + name + "-" + this.width + "-" + this.colors.name().toLowerCase(Locale.ROOT));
		assertThat(page.overflow()).as("%s is too wide by", name).isLessThanOrEqualTo(0);
		assertThat(page.seriousFindings()).as("axe-core about %s", name).isEmpty();
	}

}
