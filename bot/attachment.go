package bot

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Attachment is a file that came with a request, or the lines of text that
// answer a Question. The bytes are fetched when they are asked for, within limits
// that the adapter sets: at most 10 seconds, and only from the platform itself.
type Attachment struct {
	Name string // the file's; empty for lines of text
	// Read returns at most limit bytes of the file, or an error: a *TooLarge if
	// there are more, any other if it can't be had now.
	Read func(ctx context.Context, limit int) ([]byte, error)
}

// TooLarge says that a file has more bytes than were asked for.
type TooLarge struct {
	Limit int
}

// Error names the limit.
func (t *TooLarge) Error() string {
	return fmt.Sprintf("the file is larger than %d bytes", t.Limit)
}

// ReadAtMost reads all that r has, or returns a *TooLarge if that is more than
// limit bytes. It reads no more than one byte beyond, whatever was promised.
func ReadAtMost(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(data) > limit {
		return nil, &TooLarge{limit}
	}
	return data, err
}

// Written returns lines of text as an attachment, without a name.
func Written(text string) *Attachment {
	return &Attachment{Read: func(_ context.Context, limit int) ([]byte, error) {
		return ReadAtMost(strings.NewReader(text), limit)
	}}
}
