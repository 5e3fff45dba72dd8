package io.parley.log.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Imports the main classes of a module, also when its tests run from their jar. */
public final class MainClasses implements ImportOption {

	private final ImportOption withoutTestFolders = new ImportOption.DoNotIncludeTests();

	@Override
	public boolean includes(Location location) {
		return this.withoutTestFolders.includes(location) && !location.contains("-tests.jar");
	}

}
