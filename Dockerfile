# The static binary alone: no shell, no libraries, no root.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /hiss .
# An empty folder for the volume and one for SQLite's temporary files, both
# owned by the user that Hiss runs as.
RUN mkdir -p /rootfs/data /rootfs/tmp && chown -R 65532:65532 /rootfs

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /rootfs/ /
COPY --from=build /hiss /hiss
USER 65532:65532
ENV HISS_DATABASE=/data/hiss.db
VOLUME /data
WORKDIR /data
ENTRYPOINT ["/hiss"]
