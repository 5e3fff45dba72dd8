/**
 * A stand-in for Firebase Cloud Messaging that accepts pushes.
 */
@NullMarked
package io.parley.fakefcm;

import org.jspecify.annotations.NullMarked;
