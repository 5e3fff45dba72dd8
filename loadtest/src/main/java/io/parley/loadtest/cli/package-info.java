/** What all commands share towards the person at the console. */
@NullMarked
package io.parley.loadtest.cli;

import org.jspecify.annotations.NullMarked;
