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
final class JmsLink implements Transport.Link {

	private final RoundClient client;

	private final Connection connection;

	private final Session sending;

	private final MessageProducer producer;

	JmsLink(ConnectionFactory factory, RoundClient client) throws JMSException {
		this.client = client;
		this.connection = factory.createConnection();
		this.connection
			.setExceptionListener((failure) -> client.check().failed("connection lost: " + failure.getMessage()));
		Session receiving = this.connection.createSession(false, Session.DUPS_OK_ACKNOWLEDGE);
		Topic topic = receiving
			.createTopic(client.cell().toAll() ? client.group() : client.group() + "." + client.number());
		receiving.createConsumer(topic).setMessageListener(this::received);
		this.sending = this.connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
		this.producer = this.sending.createProducer(topic);
		this.producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
		this.connection.start();
	}

	private void received(Message message) {
		try {
			this.client.arrived(message.getBody(byte[].class));
		}
		catch (JMSException ex) {
			this.client.check().failed("unreadable message: " + ex.getMessage());
		}
	}

	@Override
	public void send(int sequence) throws JMSException {
		BytesMessage message = this.sending.createBytesMessage();
		message.writeBytes(this.client.message(sequence));
		this.producer.send(message);
	}

	@Override
	public void leave() throws JMSException {
		this.connection.setExceptionListener(null);
		this.connection.close();
	}

}
