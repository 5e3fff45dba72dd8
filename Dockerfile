# One file for all modules.
#   docker compose build                                     compiles the sources in a container: needs neither JDK nor Maven
#   PARLEY_JARS=target docker compose build                  packages the jars that Maven has built here, and quick-start.jar of
#                                                            scripts/quick-start-jar.sh, as "./chat up" does
#   docker build --build-arg MODULE=chat-server -t parley/chat-server .
#                                                            one image, of the jar that Maven has built here
# It needs BuildKit, the default of Docker: another builder would compile the sources in each case.
# For another platform than that of this machine see docs/operations.md, "Another platform".
ARG JRE_IMAGE=eclipse-temurin:25-jre
ARG BUILD_IMAGE=maven:3.9-eclipse-temurin-25
# Where the jar comes from: "source" or "target".
ARG JARS=target
# How the program starts. "trained", for the chat-server: with a cache of what the JVM learned while a server started and users
# chatted, which takes a minute to make and 180 MB; "plain": without one; "worker", for the workers: as "plain", but the JVM
# optimizes only code that runs very often.
ARG START=plain

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY . .
# The same for all images, so it runs once. The cache keeps the libraries for the next build.
RUN --mount=type=cache,target=/root/.m2/repository,sharing=locked --mount=type=secret,id=maven-settings --mount=type=secret,id=build-ca \
    scripts/build-jars.sh

FROM build AS source
ARG MODULE
# The workers are also libraries: their executable jar has a separate name.
ARG JAR=${MODULE}.jar
RUN cp ${MODULE}/target/${JAR} /application.jar && cp chat-server/target/quick-start.jar /

FROM scratch AS target
ARG MODULE
ARG JAR=${MODULE}.jar
COPY ${MODULE}/target/${JAR} /application.jar
# Only needed for "trained": scripts/quick-start-jar.sh makes it. The pattern matches nothing if there is none.
COPY chat-server/target/quick-start.ja[r] /

FROM ${JARS} AS jar

FROM ${JRE_IMAGE} AS layers
WORKDIR /build
COPY --from=jar /application.jar application.jar
RUN java -Djarmode=tools -jar application.jar extract --layers --destination extracted

FROM ${JRE_IMAGE} AS plain
WORKDIR /app
# Data directory, used if no database and no broker are configured.
RUN mkdir /app/data && chown 10001:10001 /app/data
# Ordered from rarely to frequently changed layers, so that a new version is a small download.
COPY --from=layers /build/extracted/dependencies/ ./
COPY --from=layers /build/extracted/spring-boot-loader/ ./
COPY --from=layers /build/extracted/snapshot-dependencies/ ./
COPY --from=layers /build/extracted/application/ ./
USER 10001:10001
EXPOSE 8080 9090
# The other containers need both ports. The ports that the host publishes determine other access.
ENV SERVER_ADDRESS=0.0.0.0 MANAGEMENT_SERVER_ADDRESS=0.0.0.0
# bash can send the HTTP request of the probe, so the image needs no curl. The long start period costs nothing on a fast
# machine: the first successful probe ends it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=300s --retries=3 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200'"]
# The parallel collector has the shortest pauses with a small heap, and with half of the heap as young generation they are
# rare. Objects that survive a collection live for minutes, so they are promoted at once. The optimizing compiler waits ten times
# as long as by default: in the first minutes of a server with one or two cores it takes more time than all requests
# (docs/results/2026-11-28-first-minutes.md). Set this variable to select another collector.
ENV JDK_JAVA_OPTIONS="-XX:+UseParallelGC -XX:NewRatio=1 -XX:MaxTenuringThreshold=1 -XX:Tier4InvocationThreshold=50000 \
-XX:Tier4MinInvocationThreshold=6000 -XX:Tier4CompileThreshold=150000"
# Half of the container's memory is heap; sockets, threads and native libraries need the rest. Pass further options in
# JAVA_TOOL_OPTIONS.
# Without the two thresholds the JVM stops for a full collection whenever it has compiled or loaded much
# (docs/results/2026-11-28-peers.md).
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=50", "-XX:SweeperThreshold=100", "-XX:MetaspaceSize=160m", \
    "-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError", \
    "--enable-native-access=ALL-UNNAMED", "-jar", "/app/application.jar"]

FROM plain AS worker
# The optimizing compiler waits a hundred times as long as by default: in the first minutes it leaves
# more processor time to the servers, and a backlog is handled as quickly (docs/results/2026-11-28-first-minutes.md). The last
# value of an option counts.
ENV JDK_JAVA_OPTIONS="$JDK_JAVA_OPTIONS -XX:Tier4InvocationThreshold=500000 -XX:Tier4MinInvocationThreshold=60000 \
-XX:Tier4CompileThreshold=1500000"

FROM plain AS trained
USER 0:0
RUN --mount=type=bind,from=jar,source=/quick-start.jar,target=/tmp/quick-start.jar \
    java -cp /tmp/quick-start.jar QuickStart application.jar cache 20 $JDK_JAVA_OPTIONS -XX:+UseCompactObjectHeaders \
        --enable-native-access=ALL-UNNAMED \
    && rm cache/lock cache/training.log
USER 10001:10001
# The cache belongs to these collector settings: whoever replaces this variable starts without it. The JVM warns about each small
# part of the cache that it cannot use.
ENV JDK_JAVA_OPTIONS="$JDK_JAVA_OPTIONS -XX:AOTCache=/app/cache/app.aot -Xlog:aot=error,aot+codecache+stubs=error"

FROM ${START}
