/**
 * The log inside this JVM, on the local disk: one RocksDB database, one writer thread,
 * and one fsync for all appends that wait at that moment.
 */
@NullMarked
package io.parley.log.embedded;

import org.jspecify.annotations.NullMarked;
