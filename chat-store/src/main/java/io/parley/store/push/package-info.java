/** Devices, who wants to be told what, what is to be told, and what became of it. */
@NullMarked
package io.parley.store.push;

import org.jspecify.annotations.NullMarked;
