package io.parley.loadtest.cli;

import java.util.concurrent.Callable;

/**
 * A command that another module adds to the command line. The module lists its commands
 * in {@code META-INF/services}, in the order of the help text.
 */
public interface CommandExtension extends Callable<Integer> {

}
