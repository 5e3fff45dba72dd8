package io.parley.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.springframework.util.FileSystemUtils;

/** Our clients as their users have them, with the programs that test them. */
final class ClientPrograms {

	private static final Path TYPESCRIPT = Path.of("../clients/typescript").toAbsolutePath();

	private static final Path PYTHON = Path.of("../clients/python").toAbsolutePath();

	private ClientPrograms() {
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

}
