/** The workers inside this JVM. */
@NullMarked
package io.parley.server.worker;

import org.jspecify.annotations.NullMarked;
