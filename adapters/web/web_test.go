package web_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"hiss/adapters/web"
)

// TestPaths: what isn't served is not found, and nothing is served below a path.
func TestPaths(t *testing.T) {
	p := web.Paths{"/hook": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })}
	for path, want := range map[string]int{"/hook": http.StatusAccepted, "/hook/x": http.StatusNotFound, "/": http.StatusNotFound} {
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, not %d", path, w.Code, want)
		}
	}
}

// TestListen: it serves until it's closed, and says where it can't.
func TestListen(t *testing.T) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	stop, err := web.Listen("127.0.0.1:0", web.Paths{}, log)
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := web.Listen("256.0.0.1:1", web.Paths{}, log); err == nil {
		t.Error("it listens where nobody can be")
	}
	if stop, err = web.Listen("", nil, log); err != nil || stop() != nil {
		t.Error("without an address there's nothing to do")
	}
}

// TestAddress reads what names a server, and nothing else.
func TestAddress(t *testing.T) {
	for value, path := range map[string]string{
		"": "/", "https://api.telegram.org": "/", "http://127.0.0.1:81/a/b": "/a/b", "ftp://x": "no", "https://": "no",
		"https://x:99999": "no", "https://u:p@x": "no", "https://x/?q": "no", "x": "no", "https://x:port": "no",
	} {
		var a web.Address
		err := a.Decode(value)
		if (err != nil) != (path == "no") || err == nil && a.Path() != path {
			t.Errorf("%q: %v, %q", value, err, a.Path())
		}
	}
}
