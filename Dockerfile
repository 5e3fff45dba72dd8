# One file for all modules. Maven has built the jar before ("./chat up" does that), the image only packs it:
#   docker build --build-arg MODULE=chat-server -t parley/chat-server .
# For another platform than that of this machine see docs/operations.md, "Another platform".
ARG JRE_IMAGE=eclipse-temurin:25-jre

FROM ${JRE_IMAGE} AS layers
ARG MODULE
# The workers are libraries too: their program has a name of its own.
ARG JAR=${MODULE}.jar
WORKDIR /build
COPY ${MODULE}/target/${JAR} application.jar
RUN java -Djarmode=tools -jar application.jar extract --layers --destination extracted

FROM ${JRE_IMAGE}
WORKDIR /app
# What the program writes when no database and no broker are configured.
RUN mkdir /app/data && chown 10001:10001 /app/data
# From what seldom changes to what always does, so that a new version is a small download.
COPY --from=layers /build/extracted/dependencies/ ./
COPY --from=layers /build/extracted/spring-boot-loader/ ./
COPY --from=layers /build/extracted/snapshot-dependencies/ ./
COPY --from=layers /build/extracted/application/ ./
USER 10001:10001
EXPOSE 8080 9090
# The other containers must reach both ports. What the machine publishes decides who else does.
ENV SERVER_ADDRESS=0.0.0.0 MANAGEMENT_SERVER_ADDRESS=0.0.0.0
# bash speaks HTTP well enough for a probe, so the image needs no curl. The long start costs nothing on a quick machine: the
# first good answer ends it.
HEALTHCHECK --interval=5s --timeout=4s --start-period=300s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200'"]
# With a small heap its pauses are the shortest, and with half of it for what is new they are rare; what outlives one is kept
# for minutes and is not copied again and again. Set this variable to choose another collector.
ENV JDK_JAVA_OPTIONS="-XX:+UseParallelGC -XX:NewRatio=1 -XX:MaxTenuringThreshold=1"
# Half of the container's memory is heap; sockets, threads and native libraries need the rest. The operator's own
# options go into JAVA_TOOL_OPTIONS.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=50", "-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError", \
    "--enable-native-access=ALL-UNNAMED", "-jar", "application.jar"]
