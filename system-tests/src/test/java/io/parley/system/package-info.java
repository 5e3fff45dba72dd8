/** Tests of the packaged server as a process: crashes, outside clients, capacity. */
@NullMarked
package io.parley.system;

import org.jspecify.annotations.NullMarked;
