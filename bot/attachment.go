package bot

import (
	"context"
	"errors"
	"io"
	"strings"
)

// Attachment is a file that came with a request, or the lines of text that
// answer a Question. The bytes are fetched when they are asked for, within limits
// that the adapter sets: at most 10 seconds, and only from the platform itself.
type Attachment struct {
	Name string // the file's; empty for lines of text
	// Read returns the file, if it has at most limit bytes. The error is
	// ErrTooLarge if it has more; any other says why it can't be had.
	Read func(ctx context.Context, limit int) ([]byte, error)
}

// ErrTooLarge says that a file is larger than whoever asked for it takes.
var ErrTooLarge = errors.New("the file is too large")

// ReadAtMost reads all that r has, or returns ErrTooLarge if that is more than
// limit bytes. It reads no more than one byte beyond, whatever was promised.
func ReadAtMost(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(data) > limit {
		return nil, ErrTooLarge
	}
	return data, err
}

// Written returns lines of text as an attachment, without a name.
func Written(text string) *Attachment {
	return &Attachment{Read: func(_ context.Context, limit int) ([]byte, error) {
		return ReadAtMost(strings.NewReader(text), limit)
	}}
}
