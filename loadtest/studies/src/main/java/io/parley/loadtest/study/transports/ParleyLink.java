package io.parley.loadtest.study.transports;

import java.nio.charset.StandardCharsets;

import io.parley.loadtest.study.client.RoomClient;
import io.parley.loadtest.study.client.RoomClients;
import io.parley.loadtest.study.client.RoomClients.Place;

/**
 * A client of Parley. It requests a receipt for each message.
 */
final class ParleyLink implements Link, RoomClient.Receiver {

	private final Cell cell;

	private final int number;

	private final Tally tally;

	private final RoomClient client;

	ParleyLink(RoomClients clients, Place place, Cell cell, int number, Tally tally) {
		this.cell = cell;
		this.number = number;
		this.tally = tally;
		this.client = clients.open(place, this);
	}

	boolean isLive() {
		return this.client.isLive();
	}

	@Override
	public void send(int sequence) {
		byte[] message = Parcel.bytes(this.number, sequence, this.cell.bytes());
		this.client.send(this.number + "-" + sequence, new String(message, StandardCharsets.US_ASCII));
	}

	@Override
	public boolean isSettled() {
		return this.client.isSettled();
	}

	@Override
	public void message(byte[] bytes, int from, int length) {
		Parcel.arrived(bytes, from, length, this.number, this.tally);
	}

	@Override
	public void failed(String reason) {
		this.tally.failed(reason);
	}

	@Override
	public void close() {
		this.client.leave();
	}

}
