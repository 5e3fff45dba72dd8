import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moves the chart library of report pages to one file, so that the repository contains it once:
 * "java scripts/ShareChart.java docs/results/reports/*.html". The file is chart.js in the parent directory of the pages.
 */
class ShareChart {

	private static final Pattern LIBRARY = Pattern.compile("<script>([^<]*?Chart\\.js v.*?)</script>", Pattern.DOTALL);

	private static final Pattern HASHES = Pattern.compile("script-src '[^']+' ");

	public static void main(String[] pages) throws IOException {
		for (String name : pages) {
			Path page = Path.of(name).toAbsolutePath();
			String html = Files.readString(page);
			Matcher library = LIBRARY.matcher(html);
			if (!library.find()) {
				System.out.println(name + ": has no library of its own");
				continue;
			}
			share(page.getParent().resolveSibling("chart.js"), library.group(1));
			html = html.substring(0, library.start()) + "<script src=\"../chart.js\"></script>"
					+ html.substring(library.end());
			// Pages opened as files have no origin that 'self' could match in every browser.
			Files.writeString(page, HASHES.matcher(html).replaceFirst("script-src 'self' file: "));
		}
	}

	private static void share(Path file, String library) throws IOException {
		if (Files.exists(file) && !Files.readString(file).equals(library)) {
			throw new IOException(file + " has another version of the library");
		}
		Files.writeString(file, library);
	}

}
