/** Prints a new RSA key as PKCS#8 PEM: "java scripts/GenerateKey.java". */
void main() throws Exception {
	var generator = java.security.KeyPairGenerator.getInstance("RSA");
	generator.initialize(2048);
	var encoder = java.util.Base64.getMimeEncoder(64, "\n".getBytes());
	IO.println("-----BEGIN PRIVATE KEY-----");
	IO.println(encoder.encodeToString(generator.generateKeyPair().getPrivate().getEncoded()));
	IO.println("-----END PRIVATE KEY-----");
}
