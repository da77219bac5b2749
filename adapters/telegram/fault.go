package telegram

import (
	"errors"
	"strings"
	"time"

	client "github.com/go-telegram/bot"
)

// fault is the kind of a failed call. Each has one fixed reaction, in deliver.go
// and poll.go.
type fault uint8

const (
	tryAgain   fault = iota // Telegram or the way there is down
	waits                   // too many calls: nothing before that time
	moved                   // the group has a new id
	gone                    // the bot isn't in the chat any more, or blocked
	noRight                 // it may not write there
	noPictures              // it may write, but send no pictures
	noTopic                 // the topic is closed or deleted
	noMessage               // the message to edit isn't there, or isn't one of its kind
	done                    // nothing to do: not modified, or too late
	misused                 // the call was wrong, which is a mistake of ours
	noToken                 // Telegram doesn't know the token
	contended               // another program polls for this bot
)

// told lists what the descriptions of refused calls tell. Telegram has no codes
// for these, so this is the one place where its words are read; the order
// matters.
var told = []struct {
	words string
	kind  fault
}{
	{"message is not modified", done},
	{"query is too old", done},
	{"query_id_invalid", done},
	{"message to edit not found", noMessage},
	{"message can't be edited", noMessage},
	{"message_id_invalid", noMessage},
	{"no text in the message", noMessage},
	{"no caption in the message", noMessage},
	{"thread not found", noTopic},
	{"topic_closed", noTopic},
	{"topic_deleted", noTopic},
	{"topic_id_invalid", noTopic},
	{"rights to send photos", noPictures},
	{"rights to send animations", noPictures},
	{"rights to send documents", noPictures},
	{"rights to send media", noPictures},
	{"send_photos_forbidden", noPictures},
	{"send_gifs_forbidden", noPictures},
	{"send_docs_forbidden", noPictures},
	{"send_media_forbidden", noPictures},
	{"not enough rights", noRight},
	{"have no rights", noRight},
	{"need administrator rights", noRight},
	{"write_forbidden", noRight},
	{"send_plain_forbidden", noRight},
	{"chat_restricted", noRight},
	{"chat not found", gone},
	{"chat_id_invalid", gone},
	{"peer_id_invalid", gone},
	{"deactivated", gone},
	{"was deleted", gone},
}

// classify returns the kind of an error, with the wait of waits and the new id
// of moved.
func classify(err error) (kind fault, wait time.Duration, to int64) {
	var many *client.TooManyRequestsError
	var migrated *client.MigrateError
	switch {
	case errors.As(err, &many):
		// A second more, since sending early prolongs it.
		return waits, time.Duration(max(many.RetryAfter, 1))*time.Second + time.Second/4, 0
	case errors.As(err, &migrated):
		return moved, 0, int64(migrated.MigrateToChatID)
	case errors.Is(err, client.ErrorUnauthorized), errors.Is(err, client.ErrorNotFound):
		return noToken, 0, 0
	case errors.Is(err, client.ErrorConflict):
		return contended, 0, 0
	case !errors.Is(err, client.ErrorBadRequest) && !errors.Is(err, client.ErrorForbidden):
		return tryAgain, 0, 0
	}
	description := strings.ToLower(err.Error())
	for _, t := range told {
		if strings.Contains(description, t.words) {
			return t.kind, 0, 0
		}
	}
	if errors.Is(err, client.ErrorForbidden) {
		return gone, 0, 0
	}
	return misused, 0, 0
}
