package io.parley.loadtest.study.peers.wire;

/**
 * XMPP over WebSocket (RFC 7395) with an anonymous login (XEP-0175) and a room of
 * Multi-User Chat (XEP-0045). Each WebSocket message is one element. The server sends a
 * message to its sender as well, which confirms it.
 */
public final class XmppWire extends Wire {

	private static final String ERROR = "type='error'";

	private final String domain;

	private final String room;

	private final String nickname;

	/**
	 * Creates the protocol of a session.
	 * @param domain of the server
	 * @param room the address of the room
	 * @param nickname the name in the room, different for each session of it
	 */
	public XmppWire(Link link, String domain, String room, String nickname) {
		super(link);
		this.domain = domain;
		this.room = room;
		this.nickname = nickname;
	}

	@Override
	public void opened() {
		open();
	}

	/**
	 * Opens the stream. The client does this again after the login.
	 */
	private void open() {
		link().send(bytes(
				"<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='%s' version='1.0'/>".formatted(this.domain)));
	}

	@Override
	public byte[] publish(byte[] text) {
		return bytes("<message xmlns='jabber:client' to='" + this.room + "' type='groupchat'><body>"
				+ text(text, 0, text.length) + "</body></message>");
	}

	@Override
	int take(byte[] bytes, int from, int to, boolean last) {
		if (!last) {
			return INCOMPLETE;
		}
		element(bytes, from, to);
		return to;
	}

	private void element(byte[] bytes, int from, int to) {
		int tag = indexOf(bytes, from, to, ">");
		if (tag < 0 || indexOf(bytes, from, tag, ERROR) >= 0) {
			link().failed(text(bytes, from, to));
		}
		else if (startsWith(bytes, from, tag, "<message")) {
			deliver(bytes, from, to);
		}
		else if (startsWith(bytes, from, tag, "<presence")) {
			presence(bytes, from, to);
		}
		else if (startsWith(bytes, from, tag, "<stream:features")) {
			features(bytes, from, to);
		}
		else if (startsWith(bytes, from, tag, "<success")) {
			open();
		}
		else if (startsWith(bytes, from, tag, "<iq") && indexOf(bytes, from, tag, "id='bind'") >= 0) {
			enter();
		}
		else if (!startsWith(bytes, from, tag, "<iq") && !startsWith(bytes, from, tag, "<open")) {
			link().failed(text(bytes, from, to));
		}
	}

	private void features(byte[] bytes, int from, int to) {
		if (indexOf(bytes, from, to, "<mechanism>ANONYMOUS<") >= 0) {
			link().send(bytes("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>"));
		}
		else if (indexOf(bytes, from, to, "<bind") >= 0) {
			link().send(bytes("<iq xmlns='jabber:client' type='set' id='bind'>"
					+ "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>"));
		}
		else {
			link().failed(text(bytes, from, to));
		}
	}

	private void enter() {
		link().send(bytes("<presence xmlns='jabber:client' to='%s/%s'><x xmlns='http://jabber.org/protocol/muc'/>"
			.formatted(this.room, this.nickname) + "</presence>"));
	}

	/**
	 * The presence of the session itself has code 110 and is the last one.
	 */
	private void presence(byte[] bytes, int from, int to) {
		if (indexOf(bytes, from, to, "<status code='110'/>") >= 0) {
			link().subscribed();
		}
	}

}
