import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints the structure of a checkout as Markdown: "java scripts/Structure.java [directory]". Lines are physical lines
 * of Java; package-info.java counts for lines and packages, but not as a file.
 */

static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

static final Pattern IMPORT = Pattern.compile("^import (?:static )?([\\w.]+)", Pattern.MULTILINE);

static final Pattern TOP_LEVEL_TYPE = Pattern.compile(
		"^(public )?(?:(?:abstract|final|sealed|non-sealed) )*(?:class|interface|@interface|enum|record) \\w", Pattern.MULTILINE);

static final Set<String> NOT_SEARCHED = Set.of("target", "src", "node_modules", "data");

static final String LOAD_KIT = "loadtest";

record Source(String module, String packageName, boolean hasTypes, int lines, int types, int publicTypes,
		Set<String> imports) {
}

void main(String[] arguments) throws IOException {
	Path root = Path.of((arguments.length > 0) ? arguments[0] : "").toAbsolutePath().normalize();
	List<Path> modules = new ArrayList<>();
	findModules(root, modules);
	Map<String, List<Source>> main = new TreeMap<>();
	Map<String, List<Source>> test = new TreeMap<>();
	for (Path directory : modules) {
		String module = root.relativize(directory).toString();
		main.put(module, sources(module, directory.resolve("src/main/java")));
		test.put(module, sources(module, directory.resolve("src/test/java")));
	}
	main.values().removeIf(List::isEmpty);
	printModules(main);
	printCyclesBetweenModules(main);
	printLines(main, test);
	printJars(root, modules);
}

static void findModules(Path directory, List<Path> modules) throws IOException {
	if (Files.exists(directory.resolve("pom.xml")) && Files.exists(directory.resolve("src"))) {
		modules.add(directory);
	}
	try (Stream<Path> entries = Files.list(directory)) {
		for (Path entry : entries.sorted().toList()) {
			String name = entry.getFileName().toString();
			if (Files.isDirectory(entry) && !name.startsWith(".") && !NOT_SEARCHED.contains(name)) {
				findModules(entry, modules);
			}
		}
	}
}

// --- reading -----------------------------------------------------------------------------

static List<Source> sources(String module, Path directory) throws IOException {
	List<Source> sources = new ArrayList<>();
	if (Files.exists(directory)) {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter((one) -> one.toString().endsWith(".java")).sorted().toList()) {
				sources.add(read(module, file));
			}
		}
	}
	return sources;
}

static Source read(String module, Path file) throws IOException {
	String text = Files.readString(file);
	String packageName = PACKAGE.matcher(text).results().map((match) -> match.group(1)).findFirst().orElse("");
	List<MatchResult> types = TOP_LEVEL_TYPE.matcher(text).results().toList();
	int publicTypes = (int) types.stream().filter((type) -> type.group(1) != null).count();
	Set<String> imports = IMPORT.matcher(text).results().map((match) -> match.group(1)).collect(Collectors.toSet());
	return new Source(module, packageName, !file.endsWith("package-info.java"), (int) text.lines().count(),
			types.size(), publicTypes, imports);
}

// --- modules -----------------------------------------------------------------------------

static void printModules(Map<String, List<Source>> main) {
	IO.println("| module | files | lines | median lines | packages | package-private types | largest package | package cycles |");
	IO.println("|---|---|---|---|---|---|---|---|");
	main.forEach((module, sources) -> IO.println(row(module, sources, packageCycles(sources))));
	IO.println(total("**product**", main, false));
	IO.println(total("**load kit**", main, true));
}

static String total(String name, Map<String, List<Source>> main, boolean loadKit) {
	List<List<Source>> chosen = main.entrySet().stream()
		.filter((module) -> isLoadKit(module.getKey()) == loadKit)
		.map(Map.Entry::getValue)
		.toList();
	return row(name, chosen.stream().flatMap(List::stream).toList(),
			chosen.stream().flatMap((module) -> packageCycles(module).stream()).toList());
}

static String row(String name, List<Source> sources, List<Set<String>> cycles) {
	Map<String, Long> sizes = sources.stream()
		.filter(Source::hasTypes)
		.collect(Collectors.groupingBy(Source::packageName, TreeMap::new, Collectors.counting()));
	String largest = sizes.entrySet().stream()
		.max(Map.Entry.comparingByValue())
		.map((one) -> "`%s` (%d files)".formatted(simpleName(one.getKey()), one.getValue()))
		.orElse("–");
	int types = sources.stream().mapToInt(Source::types).sum();
	int hidden = types - sources.stream().mapToInt(Source::publicTypes).sum();
	return "| %s | %d | %,d | %d | %d | %d of %d (%d %%) | %s | %s |".formatted(name,
			sources.stream().filter(Source::hasTypes).count(), lines(sources), median(sources),
			sources.stream().map(Source::packageName).distinct().count(), hidden, types,
			Math.round(100.0 * hidden / Math.max(1, types)), largest, text(cycles));
}

static String text(List<Set<String>> cycles) {
	return cycles.isEmpty() ? "none"
			: cycles.stream()
				.map((cycle) -> cycle.stream().map((one) -> simpleName(one)).collect(Collectors.joining(" ↔ ")))
				.collect(Collectors.joining("; "));
}

static String simpleName(String packageName) {
	return packageName.substring(packageName.lastIndexOf('.') + 1);
}

static int lines(List<Source> sources) {
	return sources.stream().mapToInt(Source::lines).sum();
}

static int median(List<Source> sources) {
	int[] lines = sources.stream().filter(Source::hasTypes).mapToInt(Source::lines).sorted().toArray();
	return (lines.length == 0) ? 0 : (lines[(lines.length - 1) / 2] + lines[lines.length / 2]) / 2;
}

static boolean isLoadKit(String module) {
	return module.startsWith(LOAD_KIT);
}

// --- cycles ------------------------------------------------------------------------------

/** Returns the groups of packages of one module that import each other, directly or not. */
static List<Set<String>> packageCycles(List<Source> sources) {
	Set<String> packages = sources.stream().map(Source::packageName).collect(Collectors.toSet());
	Map<String, Set<String>> uses = new TreeMap<>();
	for (Source source : sources) {
		Set<String> used = uses.computeIfAbsent(source.packageName(), (name) -> new TreeSet<>());
		source.imports().stream().map((one) -> packageOf(one, packages)).forEach(used::add);
		used.remove(source.packageName());
	}
	return cycles(uses);
}

static void printCyclesBetweenModules(Map<String, List<Source>> main) {
	Map<String, String> modules = new TreeMap<>();
	main.values()
		.stream()
		.flatMap(List::stream)
		.forEach((source) -> modules.put(source.packageName(), source.module()));
	Map<String, Set<String>> uses = new TreeMap<>();
	main.forEach((module, sources) -> {
		Set<String> own = sources.stream().map(Source::packageName).collect(Collectors.toSet());
		uses.put(module, sources.stream()
			.flatMap((source) -> source.imports().stream())
			.map((one) -> packageOf(one, modules.keySet()))
			.filter((one) -> !one.isEmpty() && !own.contains(one))
			.map(modules::get)
			.collect(Collectors.toCollection(TreeSet::new)));
	});
	List<Set<String>> cycles = cycles(uses);
	IO.println("\nCycles between modules: "
			+ (cycles.isEmpty() ? "none" : cycles.stream().map(Object::toString).collect(Collectors.joining("; "))));
}

/** Returns the package of an imported name, which may also be a member of a type; empty if it is not a known package. */
static String packageOf(String imported, Set<String> packages) {
	String name = imported;
	while (!name.isEmpty() && !packages.contains(name)) {
		name = name.substring(0, Math.max(0, name.lastIndexOf('.')));
	}
	return name;
}

static List<Set<String>> cycles(Map<String, Set<String>> uses) {
	Set<Set<String>> cycles = new LinkedHashSet<>();
	for (String node : uses.keySet()) {
		Set<String> cycle = new TreeSet<>(reachable(node, uses));
		cycle.removeIf((other) -> !reachable(other, uses).contains(node));
		if (!cycle.isEmpty()) {
			cycles.add(cycle);
		}
	}
	return List.copyOf(cycles);
}

/** Returns what a node uses, directly or not; the node itself only if it is in a cycle. */
static Set<String> reachable(String node, Map<String, Set<String>> uses) {
	Set<String> found = new HashSet<>();
	List<String> open = new ArrayList<>(uses.getOrDefault(node, Set.of()));
	while (!open.isEmpty()) {
		String next = open.removeLast();
		if (found.add(next)) {
			open.addAll(uses.getOrDefault(next, Set.of()));
		}
	}
	return found;
}

// --- lines and jars ----------------------------------------------------------------------

static void printLines(Map<String, List<Source>> main, Map<String, List<Source>> test) {
	IO.println("\n| lines | main | test |\n|---|---|---|");
	for (boolean loadKit : new boolean[] { false, true }) {
		IO.println("| %s | %,d | %,d |".formatted(loadKit ? "load kit" : "product", lines(main, loadKit),
				lines(test, loadKit)));
	}
}

static int lines(Map<String, List<Source>> modules, boolean loadKit) {
	return modules.entrySet()
		.stream()
		.filter((module) -> isLoadKit(module.getKey()) == loadKit)
		.mapToInt((module) -> lines(module.getValue()))
		.sum();
}

static void printJars(Path root, List<Path> modules) throws IOException {
	List<String> rows = new ArrayList<>();
	for (Path module : modules) {
		Path target = module.resolve("target");
		if (Files.exists(target)) {
			try (Stream<Path> files = Files.list(target)) {
				for (Path file : files.filter((one) -> one.toString().endsWith(".jar")).sorted().toList()) {
					if (isExecutable(file)) {
						rows.add("| `%s` | %.1f MB |".formatted(root.relativize(file), Files.size(file) / 1e6));
					}
				}
			}
		}
	}
	IO.println(rows.isEmpty() ? "\nExecutable jars: not built" : "\n| executable jar | size |\n|---|---|");
	rows.forEach(IO::println);
}

static boolean isExecutable(Path file) throws IOException {
	try (JarFile jar = new JarFile(file.toFile())) {
		return jar.getManifest() != null && jar.getManifest().getMainAttributes().containsKey(Attributes.Name.MAIN_CLASS);
	}
}
