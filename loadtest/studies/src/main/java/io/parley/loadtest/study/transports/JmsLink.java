package io.parley.loadtest.study.transports;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;

/**
 * A client of Artemis that publishes to a topic and subscribes to it. For echoes each
 * client has a separate topic.
 */
final class JmsLink implements Link {

	private final Cell cell;

	private final int client;

	private final Tally tally;

	private final Connection connection;

	private final Session sending;

	private final MessageProducer producer;

	JmsLink(ConnectionFactory factory, Cell cell, String group, int client, Tally tally) throws JMSException {
		this.cell = cell;
		this.client = client;
		this.tally = tally;
		this.connection = factory.createConnection();
		this.connection.setExceptionListener((failure) -> tally.failed("connection lost: " + failure.getMessage()));
		Session receiving = this.connection.createSession(false, Session.DUPS_OK_ACKNOWLEDGE);
		Topic topic = receiving.createTopic(cell.toAll() ? group : group + "." + client);
		receiving.createConsumer(topic).setMessageListener(this::received);
		this.sending = this.connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
		this.producer = this.sending.createProducer(topic);
		this.producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
		this.connection.start();
	}

	private void received(Message message) {
		try {
			Parcel.arrived(message.getBody(byte[].class), this.client, this.tally);
		}
		catch (JMSException ex) {
			this.tally.failed("unreadable message: " + ex.getMessage());
		}
	}

	@Override
	public void send(int sequence) throws JMSException {
		BytesMessage message = this.sending.createBytesMessage();
		message.writeBytes(Parcel.bytes(this.client, sequence, this.cell.bytes()));
		this.producer.send(message);
	}

	@Override
	public void close() throws JMSException {
		this.connection.setExceptionListener(null);
		this.connection.close();
	}

}
