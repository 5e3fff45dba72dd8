/**
 * The contract between the deployables: what happened in a room, how it is written to the
 * log and shown to clients, and how rooms, partitions and destinations are named.
 */
@NullMarked
package io.parley.events;

import org.jspecify.annotations.NullMarked;
