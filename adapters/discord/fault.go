package discord

import (
	"errors"
	"net/http"
	"time"
)

// fault is the kind of a failed call. Each has one fixed reaction.
type fault uint8

const (
	tryAgain  fault = iota // Discord or the way there is down
	waits                  // too many calls: nothing of that kind before that time
	gone                   // the channel or the server isn't there for the bot any more
	noRight                // it may not write there
	archived               // the thread is archived: edits are refused, or locked
	noMessage              // the message to edit isn't there any more
	done                   // it was answered already
	late                   // the interaction can't be answered any more
	misused                // the call was wrong, which is a mistake of ours
	noToken                // Discord doesn't know the token
)

// codes are Discord's own, of its documentation on JSON error codes.
var codes = map[int]fault{
	10003: gone, 10004: gone, 50001: gone,
	50013: noRight, 50083: archived, 10008: noMessage,
	40060: done, 10062: late, 10015: late, 50027: late,
}

// classify returns the kind of an error, with the wait of waits.
func classify(err error) (kind fault, wait time.Duration) {
	var e *apiError
	if !errors.As(err, &e) {
		return tryAgain, 0
	}
	if known, ok := codes[e.Code]; ok && e.Status < 500 {
		return known, 0
	}
	if e.foreign && e.Status != http.StatusTooManyRequests {
		return tryAgain, 0 // it's not Discord that refuses
	}
	switch {
	case e.Status == http.StatusTooManyRequests:
		return waits, e.wait()
	case e.Status == http.StatusUnauthorized:
		return noToken, 0
	case e.Status == http.StatusForbidden:
		return noRight, 0
	case e.Status == http.StatusNotFound:
		return gone, 0
	case e.Status >= 500:
		return tryAgain, 0
	}
	return misused, 0
}
