package queue

import (
	"context"

	"hiss/bot"
)

// Paint draws a message's picture and returns its file. Where it may not be shown,
// or isn't ready in time, the message goes on without: its words then say what it
// would have shown.
func Paint(ctx context.Context, m *bot.Message, may bool) (file []byte) {
	if m.Picture == nil {
		return nil
	}
	if may && m.Document == nil {
		if file, err := m.Picture.Draw(ctx); err == nil && len(file) > 0 {
			return file
		}
	}
	*m = m.WithoutPicture()
	return nil
}
