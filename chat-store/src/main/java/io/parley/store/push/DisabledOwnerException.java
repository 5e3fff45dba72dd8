package io.parley.store.push;

/** Thrown when a device is registered for a user whose account is disabled. */
public final class DisabledOwnerException extends RuntimeException {

}
