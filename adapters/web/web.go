// Package web serves what platforms, and whoever watches over Hiss, ask for over
// HTTP.
package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Paths are what is served over HTTP, each under one path and nothing else.
type Paths map[string]http.Handler

// ServeHTTP hands a request to whoever has its path.
func (p Paths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := p[r.URL.Path]; h != nil {
		h.ServeHTTP(w, r)
		return
	}
	http.NotFound(w, r)
}

// Listen serves what others ask for over HTTP, if there's an address to listen
// on, until the function that it returns is called.
func Listen(address string, handler http.Handler, log *slog.Logger) (close func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	log.Info("listening", "address", l.Addr().String())
	server := &http.Server{Handler: handler, ReadTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err := server.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) { // somebody keeps a connection open
			err = server.Close()
		}
		if serving := <-served; !errors.Is(serving, http.ErrServerClosed) {
			err = errors.Join(err, serving)
		}
		return err
	}, nil
}

// Address is an address of a server: http:// or https://, and a host.
type Address string

// Decode reads an address; envconfig calls it.
func (u *Address) Decode(value string) error {
	parsed, err := url.Parse(value)
	if err != nil || value != "" && !isServer(parsed) {
		return errors.New("not an address")
	}
	*u = Address(value)
	return nil
}

// isServer reports whether an address names a server over HTTP, and a path at
// most.
func isServer(u *url.URL) bool {
	port, err := strconv.Atoi("0" + u.Port())
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && err == nil && port < 1<<16 &&
		u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// Path returns the path of an address, "/" if it has none.
func (u Address) Path() string {
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Path == "" {
		return "/"
	}
	return parsed.Path
}
