/** Tests of the packaged server as a process: crashes, external clients, capacity. */
@NullMarked
package io.parley.system;

import org.jspecify.annotations.NullMarked;
