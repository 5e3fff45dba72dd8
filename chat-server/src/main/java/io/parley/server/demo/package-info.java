/** Demo users and rooms for trying Parley out. */
@NullMarked
package io.parley.server.demo;

import org.jspecify.annotations.NullMarked;
