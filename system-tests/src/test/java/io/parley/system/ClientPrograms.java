package io.parley.system;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.junit.jupiter.api.Assumptions;

import org.springframework.util.FileSystemUtils;

/** Our clients as their users have them, with the programs that test them. */
final class ClientPrograms {

	private static final Path TYPESCRIPT = Path.of("../clients/typescript").toAbsolutePath();

	private static final Path PYTHON = Path.of("../clients/python").toAbsolutePath();

	/** What profile "all" builds. */
	static final Path KOTLIN = Path.of("../clients/kotlin/target").toAbsolutePath();

	private ClientPrograms() {
	}

	/** Prepares the programs in {@code src/test/node} in a folder. */
	static void installNode(Path folder) throws Exception {
		Node.assumeInstalled();
		Path source = Path.of("src/test/node");
		FileSystemUtils.copyRecursively(source, folder);
		FileSystemUtils.copyRecursively(Path.of("../clients/typescript/src"), folder.resolve("client"));
		Node.install(source.resolve("package-lock.json"), folder);
	}

	/**
	 * Packs the client in TypeScript, installs it in a project and compiles the programs,
	 * to {@code out}.
	 */
	static void installTypeScript(Path project) throws Exception {
		Node.assumeInstalled();
		Files.createDirectories(project);
		FileSystemUtils.copyRecursively(TYPESCRIPT.resolve("test"), project);
		FileSystemUtils.copyRecursively(TYPESCRIPT.resolve("examples"), project);
		Node.install(TYPESCRIPT.resolve("test/package-lock.json"), project);
		ChildCommand.run(TYPESCRIPT, "npm", "pack", "--pack-destination", project.toString());
		ChildCommand.run(project, "npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline",
				packed(project).toString());
		ChildCommand.run(project, "node", "node_modules/typescript/bin/tsc", "-p", ".");
	}

	/** Returns the package that was installed in a project. */
	static Path packed(Path project) {
		return project.resolve("parley-client-0.1.0.tgz");
	}

	/** Prepares Python with the libraries of the tests, and returns its program. */
	static Path installPython(Path environment) throws Exception {
		ChildCommand.assumeInstalled("python3", "install Python 3 with venv to run this test");
		Path python = environment.resolve("bin/python");
		if (!Files.exists(python)) {
			ChildCommand.run(Path.of("."), "python3", "-m", "venv", environment.toString());
		}
		Path requirements = Path.of("src/test/python/requirements.txt").toAbsolutePath();
		Node.onceFor(requirements, environment.resolve("installed"),
				() -> ChildCommand.run(environment, python.toString(), "-m", "pip", "--disable-pip-version-check",
						"install", "--quiet", "--requirement", requirements.toString()));
		return python;
	}

	/** Copies the client in Python and a program, whose path is returned. */
	static Path copyPythonClient(Path environment, String program) throws Exception {
		Files.copy(PYTHON.resolve("parley.py"), environment.resolve("parley.py"), StandardCopyOption.REPLACE_EXISTING);
		return Files.copy(PYTHON.resolve("test").resolve(program), environment.resolve(program),
				StandardCopyOption.REPLACE_EXISTING);
	}

	/**
	 * Returns the command of a program with the client in Kotlin. Skips the test if the
	 * client is not built.
	 */
	static String[] kotlin(String program) {
		Assumptions.assumeTrue(Files.exists(KOTLIN.resolve("test-classes").resolve(program + ".class")),
				"the client in Kotlin is not built: run \"mvn -Pall -pl clients/kotlin package\"");
		String classPath = String.join(File.pathSeparator, KOTLIN.resolve("classes").toString(),
				KOTLIN.resolve("test-classes").toString(), KOTLIN.resolve("lib") + "/*");
		return new String[] { Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, program };
	}

}
