/**
 * The log inside this JVM, on the local disk: one RocksDB, one writer thread, one fsync
 * for all appends that wait at the moment.
 */
@NullMarked
package io.parley.log.embedded;

import org.jspecify.annotations.NullMarked;
