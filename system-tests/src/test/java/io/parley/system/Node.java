package io.parley.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;

/** Node and the packages that tests need. */
final class Node {

	private Node() {
	}

	/** Skips the test if Node or npm is missing. */
	static void assumeInstalled() throws InterruptedException {
		ChildCommand.assumeInstalled("node", "install Node 20 or newer to run this test");
		ChildCommand.assumeInstalled("npm", "install npm to run this test");
	}

	/** Installs the packages of a lock file, beside which is its package.json. */
	static void install(Path lock, Path directory) throws Exception {
		onceFor(lock, directory.resolve("installed"), () -> {
			Files.createDirectories(directory);
			for (String file : new String[] { "package.json", "package-lock.json" }) {
				Files.copy(lock.resolveSibling(file), directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
			}
			return ChildCommand.run(directory, "npm", "ci", "--no-audit", "--no-fund");
		});
	}

	/** Runs the installation of a list unless the same list is installed already. */
	static void onceFor(Path list, Path installed, Callable<?> install) throws Exception {
		if (!Files.exists(installed) || Files.mismatch(list, installed) >= 0) {
			install.call();
			Files.copy(list, installed, StandardCopyOption.REPLACE_EXISTING);
		}
	}

}
