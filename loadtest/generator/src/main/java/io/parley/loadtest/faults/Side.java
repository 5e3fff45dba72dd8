package io.parley.loadtest.faults;

/**
 * The receiver of bytes that pass the proxy.
 */
enum Side {

	CLIENT, SERVER

}
