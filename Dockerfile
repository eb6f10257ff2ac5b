# Tsumugi on a server, built with packages of Debian only (and the crates of Cargo.lock). docs/install.md says how to run it.
FROM debian:bookworm-slim AS build
# Debian's Rust for building browsers is recent enough; its `rustc` is not. Security updates keep it so, hence no fixed version.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates cargo-web gcc libc6-dev rustc-web \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /tsumugi
COPY . .
RUN cargo build --release --locked -p tsumugi

FROM debian:bookworm-slim
RUN useradd --create-home --uid 1000 tsumugi && install -d -o tsumugi -g tsumugi /data
COPY --from=build /tsumugi/target/release/tsumugi /usr/local/bin/
COPY --from=build /tsumugi/LICENSE /tsumugi/NOTICE.md /usr/local/share/doc/tsumugi/
USER 1000
WORKDIR /data
VOLUME /data
# The board in the browser, and a CSA server.
EXPOSE 7680 4081
ENTRYPOINT ["tsumugi"]
CMD ["web", "--listen", "0.0.0.0", "--data", "/data/boards"]
