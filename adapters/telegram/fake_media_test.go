package telegram_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/gif"  // animations
	_ "image/jpeg" // photos
	_ "image/png"  // photos
	"io"
	"net/http"
	"strings"
	"time"
)

// The largest files that the bot may send and fetch.
const (
	maxPhoto = 10 << 20
	maxSent  = 50 << 20
	maxFetch = 20 << 20
)

// document is a file as a message shows it, pictures of a photo included.
type document struct {
	ID       string `json:"file_id"`
	Unique   string `json:"file_unique_id"`
	Width    int    `json:"width,omitempty"`
	Height   int    `json:"height,omitempty"`
	Duration *int   `json:"duration,omitempty"`
	Name     string `json:"file_name,omitempty"`
	Size     int    `json:"file_size,omitempty"`
}

// file is one that the server keeps.
type file struct {
	document
	kind string // photo, thumbnail, animation or document
	data []byte
	path string // set by getFile
}

// file returns what a message carries, of a photo the largest picture.
func (m *message) file() *document {
	switch {
	case len(m.Photo) > 0:
		return &m.Photo[len(m.Photo)-1]
	case m.Animation != nil:
		return m.Animation
	}
	return m.Document
}

// keep takes in a file. The lock is held.
func (a *botAPI) keep(kind, name string, data []byte) *file {
	n := len(a.files) + len(a.forgot) + 1
	f := &file{kind: kind, data: data, document: document{
		ID: fmt.Sprintf("%s-%d", kind, n), Unique: fmt.Sprintf("u%d", n), Size: len(data),
	}}
	if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && kind != "document" {
		f.Width, f.Height = c.Width, c.Height
	}
	switch kind {
	case "animation":
		f.Name, f.Duration = name, new(int)
	case "document":
		f.Name = name
	}
	a.files[f.ID] = f
	return f
}

// forgetFiles makes all ids of files worthless, as they become in time.
func (a *botAPI) forgetFiles() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forgot = make(map[string]bool)
	for id := range a.files {
		a.forgot[id] = true
	}
	clear(a.files)
}

// data returns the bytes of a file that was sent.
func (a *botAPI) data(id string) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f := a.files[id]; f != nil {
		return f.data
	}
	return nil
}

// carry puts a file into a message, in place of what was there.
func (a *botAPI) carry(m *message, f *file) {
	m.Text, m.Entities, m.Photo, m.Animation, m.Document = "", nil, nil, nil, nil
	d := f.document
	switch f.kind {
	case "photo":
		small := a.keep("thumbnail", "", nil).document
		small.Width, small.Height = 90, max(1, 90*d.Height/max(1, d.Width))
		m.Photo = []document{small, d}
	case "animation":
		m.Animation = &d
	default:
		m.Document = &d
	}
}

// given returns the file that a value of a request names: an upload, or the id
// of one sent before.
func (a *botAPI) given(r *request, kind, value string) (*file, *apiError) {
	wrong := bad("wrong file identifier/HTTP URL specified")
	part, isUpload := strings.CutPrefix(value, "attach://")
	if !isUpload {
		f := a.files[value]
		switch {
		case f == nil && a.forgot[value]:
			return nil, wrong
		case f == nil:
			return nil, a.refuse(r, wrong, "%q is no file that this bot knows", value)
		case f.kind != kind:
			return nil, a.refuse(r, bad("can't use file of type %s as %s", f.kind, kind), "a %s is sent as a %s", f.kind, kind)
		}
		return f, nil
	}
	up, ok := r.uploads[part]
	switch {
	case !ok:
		return nil, a.refuse(r, wrong, "nothing is attached as %q", part)
	case len(up.data) == 0:
		return nil, a.refuse(r, bad("file must be non-empty"), "the %s is empty", kind)
	case len(up.data) > maxSent:
		return nil, a.refuse(r, &apiError{status: http.StatusRequestEntityTooLarge, text: "Request Entity Too Large"}, "the %s has %d bytes", kind, len(up.data))
	case up.name == "":
		a.faultf("%s: the %s has no name", r.method, kind)
	}
	r.used[part] = true
	if kind == "photo" {
		if e := a.checkPhoto(r, up.data); e != nil {
			return nil, e
		}
	}
	return a.keep(kind, up.name, up.data), nil
}

// checkPhoto looks at a photo as the server does.
func (a *botAPI) checkPhoto(r *request, data []byte) *apiError {
	picture, format, err := image.Decode(bytes.NewReader(data))
	switch {
	case len(data) > maxPhoto:
		return a.refuse(r, bad("file is too big"), "a photo of %d bytes", len(data))
	case err != nil || format == "gif":
		return a.refuse(r, bad("IMAGE_PROCESS_FAILED"), "the photo is no picture: %s, %v", format, err)
	}
	w, h := picture.Bounds().Dx(), picture.Bounds().Dy()
	if w+h > 10000 || w > 20*h || h > 20*w {
		return a.refuse(r, bad("PHOTO_INVALID_DIMENSIONS"), "a photo of %d × %d", w, h)
	}
	return nil
}

// unused finds parts that nothing refers to.
func (a *botAPI) unused(r *request) {
	for name := range r.uploads {
		if !r.used[name] {
			a.faultf("%s: the part %q is attached for nothing", r.method, name)
		}
	}
}

// sendFile sends a file of a kind, with its caption.
func (a *botAPI) sendFile(r *request, kind string) (any, *apiError) {
	return a.post(r, kind+"s", func(m *message) *apiError {
		f, e := a.given(r, kind, r.str(kind))
		if e != nil {
			return e
		}
		w, e := a.text(r, r.str("caption"), r.values["caption_entities"], maxCaption)
		a.carry(m, f)
		m.Caption, m.CaptionEntities = w.text, w.entities
		a.unused(r)
		return e
	})
}

func (a *botAPI) sendPhoto(r *request) (any, *apiError)     { return a.sendFile(r, "photo") }
func (a *botAPI) sendAnimation(r *request) (any, *apiError) { return a.sendFile(r, "animation") }
func (a *botAPI) sendDocument(r *request) (any, *apiError)  { return a.sendFile(r, "document") }

func (a *botAPI) editMessageMedia(r *request) (any, *apiError) {
	return a.edit(r, func(m *message) *apiError {
		var media struct {
			Type     string `json:"type"`
			Media    string `json:"media"`
			Caption  string `json:"caption"`
			Mode     string `json:"parse_mode"`
			Entities any    `json:"caption_entities"`
		}
		r.into("media", &media)
		switch media.Type {
		case "photo", "animation", "document":
		default:
			return a.refuse(r, bad("type must be one of animation, audio, document, photo, video"), "there is no media %q", media.Type)
		}
		if media.Mode != "" {
			a.faultf("%s: there is a parse_mode, which reads names as markup", r.method)
		}
		f, e := a.given(r, media.Type, media.Media)
		if e != nil {
			return e
		}
		w, e := a.text(r, media.Caption, media.Entities, maxCaption)
		a.carry(m, f)
		m.Caption, m.CaptionEntities = w.text, w.entities
		a.unused(r)
		return e
	})
}

func (a *botAPI) getFile(r *request) (any, *apiError) {
	f := a.files[r.str("file_id")]
	switch {
	case f == nil:
		return nil, a.refuse(r, bad("invalid file_id"), "there is no file %q", r.str("file_id"))
	case len(f.data) > maxFetch:
		return nil, bad("file is too big")
	}
	f.path = f.kind + "s/file_" + f.Unique
	return map[string]any{"file_id": f.ID, "file_unique_id": f.Unique, "file_size": f.Size, "file_path": f.path}, nil
}

// serveFile serves a file that getFile gave a path. Failures call it "file".
func (a *botAPI) serveFile(w http.ResponseWriter, q *http.Request, path string) {
	if f := a.failing(&request{method: "file"}); f != nil && f.strikes(w, q) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.called["file"]++
	for _, f := range a.files {
		if f.path == path && path != "" {
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = w.Write(f.data)
			return
		}
	}
	a.faultf("there is no file at %s", path)
	write(w, nil, &apiError{status: http.StatusNotFound, text: "Not Found"})
}

// dripping is a body of which a byte a second comes.
type dripping struct {
	ctx  context.Context
	left int
}

// Read waits for a byte.
func (d *dripping) Read(p []byte) (int, error) {
	if d.left == 0 || len(p) == 0 {
		return 0, io.EOF
	}
	second := time.NewTimer(time.Second)
	defer second.Stop()
	select {
	case <-second.C:
		d.left--
		p[0] = '1'
		return 1, nil
	case <-d.ctx.Done():
		return 0, context.Cause(d.ctx)
	}
}

// Close changes nothing.
func (d *dripping) Close() error { return nil }
