package io.parley.system.browser;

import java.util.List;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** A subset of Markdown and links in messages. */
@Tag("exhaustive")
class RichTextIntegrationTests extends AliceAndBob {

	private static final String RICH = """
			**bold** and *italic* and _line_ and ~~struck~~ and `a **code**`
			> quoted @bob
			- one
			- two
			7. seven
			```js
			const wide = "%s";
			```
			See https://example.org/a_(b)?q=1. Or [the page](https://example.org/page).""".formatted("x".repeat(200));

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	RichTextIntegrationTests() {
		super(chromium, server);
	}

	@Test
	void marksBecomeElements() {
		this.alice.send(RICH);
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.messages().locator("strong")).hasText("bold");
			assertThat(page.messages().locator("em")).hasText(new String[] { "italic", "line" });
			assertThat(page.messages().locator("s")).hasText("struck");
			assertThat(page.messages().locator("code").first()).hasText("a **code**");
			assertThat(page.messages().locator("blockquote").getByTestId("mention")).hasText("@bob");
			assertThat(page.messages().locator("ul li")).hasText(new String[] { "one", "two" });
			assertThat(page.messages().locator("ol")).hasAttribute("start", "7");
			assertThat(page.messages().locator("pre")).hasText("const wide = \"" + "x".repeat(200) + "\";");
			assertThat(page.test("message-link").first()).hasText("https://example.org/a_(b)?q=1");
			assertThat(page.test("message-link").first()).hasAttribute("href", "https://example.org/a_(b)?q=1");
			assertThat(page.test("message-link").first()).hasAttribute("rel", "noopener noreferrer nofollow");
			assertThat(page.test("message-link").last()).hasText("the page");
			assertThat(page.test("message-link").last()).hasAttribute("href", "https://example.org/page");
			assertThat(page.seriousFindings()).isEmpty();
			assertThat(page.overflow()).isZero();
			assertThat((boolean) page.evaluate("() => [...document.querySelectorAll('.bubble')]"
					+ ".every((bubble) => bubble.offsetWidth <= bubble.parentElement.parentElement.clientWidth)"))
				.as("the message fits")
				.isTrue();
		}
		this.alice.screenshot("rich-text-1280");
		this.bob.screenshot("rich-text-360");
		// An edit shows the text as it was written.
		actionsOfTheLast(this.alice);
		this.alice.test("message-edit").click();
		assertThat(this.alice.test("composer-input")).hasValue(RICH);
		assertNoErrors();
	}

	private static void actionsOfTheLast(ChatPage page) {
		page.test("message-actions").last().click();
	}

	@Test
	void textsThatMeanSomethingElseStayAsTheyAre() {
		List.of("2 * 3 * 4 and snake_case_name", "**", "* * *", "[x](javascript:alert(1))",
				"https://bank.example@evil.example/", "```\nnever closed", "[a](data:text/html,x)",
				"<img src=x onerror=alert(1)>")
			.forEach((text) -> assertThat(html(text)).as(text).isEqualTo(escaped(text)));
		assertThat(html("[https://bank.example](https://evil.example/x)")).contains(">https://evil.example/x</a>")
			.doesNotContain("bank");
		assertThat(html("[bank.example/login](https://evil.example/x)")).doesNotContain("bank");
		assertThat(html("(https://example.org/x)")).contains("href=\"https://example.org/x\"").endsWith("</a>)");
		assertThat(html("mailto:a@example.org")).contains("href=\"mailto:a@example.org\"");
		assertThat(html("@bob_and_co_ **a @bob b**")).contains("<strong>a <mark");
	}

	private static String escaped(String text) {
		return text.replace("<", "&lt;").replace(">", "&gt;");
	}

	private String html(String text) {
		return (String) this.alice.evaluate("""
				async () => {
					const { richText } = await import("/rich-text.js");
					const part = document.createElement("div");
					part.append(...richText(%s, { users: ["bob"] }, "alice"));
					return part.innerHTML;
				}""".formatted(ChatApi.JSON.writeValueAsString(text)));
	}

	/** Any text becomes known elements only, and no part of it is lost. */
	@Test
	void anyTextIsSafe() {
		Object wrong = this.alice.evaluate(
				"""
						async () => {
							const { richText } = await import("/rich-text.js");
							const pieces = ["*", "**", "_", "~~", "`", "```", "\\n", "> ", "- ", "1. ", "[", "](", ")", "a", "b c", "@bob",
								"https://x.example/", "http://", "mailto:", "javascript:", "<b>", "\\u202e", "\\\\", " ", "&lt;", "\\u0000"];
							const known = ["STRONG", "EM", "S", "CODE", "PRE", "BLOCKQUOTE", "UL", "OL", "LI", "A", "MARK"];
							for (let i = 0; i < 20000; i++) {
								const length = 1 + Math.floor(Math.random() * 30);
								const text = Array.from({ length }, () => pieces[Math.floor(Math.random() * pieces.length)]).join("");
								const part = document.createElement("div");
								part.append(...richText(text, { users: ["bob"] }, "alice"));
								const elements = [...part.querySelectorAll("*")];
								const letters = (all) => all.replace(/[^abc]/g, "").length;
								if (elements.some(({ tagName }) => !known.includes(tagName))
									|| elements.some(({ protocol }) => protocol && !["http:", "https:", "mailto:"].includes(protocol))
									|| (!part.querySelector("a, pre") && letters(part.textContent) !== letters(text))) {
									return text;
								}
							}
							return "";
						}""");
		assertThat((String) wrong).isEmpty();
		// Does not end within minutes if it takes more than quadratic time.
		this.alice.evaluate(
				"""
						async () => {
							const { richText } = await import("/rich-text.js");
							for (const piece of ["**a ", "*a ", "_a ", "~~a ", "`", "[a](", "> ", "- a\\n", "https://(", "**", "[", "**_~~"]) {
								richText(piece.repeat(4000 / piece.length), undefined, "alice");
							}
						}""");
	}

}
