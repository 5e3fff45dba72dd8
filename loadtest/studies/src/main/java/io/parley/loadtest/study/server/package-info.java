/**
 * Further servers that a study starts and stops on this machine.
 */
@NullMarked
package io.parley.loadtest.study.server;

import org.jspecify.annotations.NullMarked;
