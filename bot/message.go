package bot

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Message is one thing said in a channel, or to one person.
//
// Before, Said and Now stand below one another. Messages with the same Page
// may share one message of the platform: an adapter that can edit replaces
// what the page showed by Before, Said and Now, one that can't shows Said and
// Now alone. Now is passing (who stands where, who is next) and is replaced by
// whatever follows.
type Message struct {
	// Page names the messages that may share one platform message. Empty means
	// always a new one. Pages are unique in their channel.
	Page   string
	Before Text // told earlier on this page
	Said   Text // told now; it stays
	Now    Text // how things stand; the page's next message replaces it
	// Call is the one person to notify, which forces a new message; a Mention
	// of them stands in the text. Nil means that nobody is.
	Call *User
	// Next is the one person who is expected to press next: the first primary
	// button, or else the first. They are neither named nor notified by that.
	// Nil means nobody in particular.
	Next *User
	// Sound lets the message be heard, which takes a new one; all others are
	// silent, also those with a Call.
	Sound bool
	// Gentle says that the sound is for the one who is called: where whatever is
	// heard is heard by all, the message is silent.
	Gentle bool
	// Alert asks for a private answer to be noticed, where such answers pass by
	// by themselves.
	Alert bool
	// Meanwhile says that a private answer only fills the time until something is
	// sent to its channel. Where it would come after that, it is left out.
	Meanwhile bool
	// Overheard is what a private answer is where everybody would read it: a short
	// word in place of a long one, or of what is none of the others' business. Nil
	// means that it is the same there.
	Overheard *Message
	// Buttons are rows of buttons below the text. They replace the page's.
	Buttons [][]Button
	// Apart says that the message is about nothing that goes on in the channel. It
	// keeps its buttons whatever follows, and what stands above keeps its own.
	Apart bool
	// Picture stands with the text, or is nil.
	Picture *Picture
	// Document goes along with the text, or is nil. A message with one is always
	// new, whatever its Page, and shows no Picture. Where no files may be sent,
	// one that can be read stands below the text, cut to what fits.
	Document *Document
	// Asks is what the message asks whoever reads it for, or nil. It goes with
	// a private answer: the asker is asked back. The text says in words how to
	// answer. Where a form can be shown, and the request had no Attachment, that
	// is shown in place of the text. Buttons beside it may be left out.
	Asks *Question
}

// Text returns all that the message shows, without what its page told before.
func (m Message) Text() Text { return Lines(m.Said, m.Now) }

// WithoutPicture returns the message as it is where no picture can be shown.
func (m Message) WithoutPicture() Message {
	if m.Picture == nil {
		return m
	}
	m.Said, m.Picture = Lines(m.Said, m.Picture.Instead), nil
	rows := make([][]Button, 0, len(m.Buttons))
	for _, row := range m.Buttons {
		if row = slices.DeleteFunc(slices.Clone(row), func(b Button) bool { return b.Pictured }); len(row) > 0 {
			rows = append(rows, row)
		}
	}
	m.Buttons = rows
	return m
}

// Button is pressed instead of typing its line. A platform shows it by its
// sign and label.
type Button struct {
	Sign  string // dressing before the label, such as an emoji; may be left out
	Label string // the words on it, at most 80 characters
	// Line is the command line that a press stands for, without its slash, in
	// at most 64 bytes, or 48 where it opens the private chat.
	Line  string
	Style Style
	// Opens says that a press leads elsewhere instead. Where a platform has no
	// such place, the button is left out.
	Opens Opening
	// Pictured says that the button stands only with the message's picture.
	Pictured bool
}

// Opening is a place that a button leads to.
type Opening uint8

// The places that buttons lead to.
const (
	Here        Opening = iota // nowhere else: the line is done in this channel
	AnotherChat                // a group or server of the presser's, to add the bot to
	PrivateChat                // the presser's private chat with the bot, where the line is done
)

// Style says what kind of act a button is. It never tells more than the label.
type Style uint8

// The styles of a button.
const (
	Secondary Style = iota
	Primary
	Danger
)

// Picture is an image together with the words that say the same as it does. It
// is drawn when it is shown, so that what is never shown costs nothing.
type Picture struct {
	Name string // a file name, as "board.png"
	// Key is the same for pictures that look the same, and for no others. An
	// empty one says nothing of that.
	Key string
	Alt string // what it shows, in words
	// Draw returns the file, of at most 10 MB. It may be called more than once and
	// from any goroutine. An error says that it wasn't ready in time: then the
	// message is shown without.
	Draw func(ctx context.Context) ([]byte, error)
	// Instead is said below Said where no picture is shown.
	Instead Text
	// Refused returns what is said above the words, once a day, where the bot may
	// write but send no pictures. The adapter gives the right that would change
	// that, as its platform calls it. Nil says nothing.
	Refused func(right string) Text
}

// Drawn returns the picture of a file that is there already.
func Drawn(name string, data []byte, alt string) *Picture {
	return &Picture{Name: name, Alt: alt, Draw: func(context.Context) ([]byte, error) { return data, nil }}
}

// Document is a file to keep or to send on, such as a board. An empty one is
// left out.
type Document struct {
	Name string // a file name, as "jungle.yaml"
	Data []byte // at most 10 MB
}

// Text returns the document's content if a person can read it: UTF-8 without
// control characters but for tabs and line breaks.
func (d *Document) Text() (text string, ok bool) {
	text = string(d.Data)
	odd := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
	return text, utf8.ValidString(text) && !strings.ContainsFunc(text, odd)
}

// Question asks for something that is longer than a button or a word: a file,
// or lines of text. How it's answered is the platform's: in a form, by a reply to
// the message, or by what is said next. What comes back is a request of Line, with
// the file as its Attachment, or the text as one that has no name. It may come
// from anybody, at any time and more than once, and without an Attachment where
// somebody answered with what is neither.
type Question struct {
	// Line is the command line that an answer stands for, without its slash, in
	// at most 64 bytes.
	Line  string
	Title string // what is asked for, 1 to 45 characters
	Hint  string // what an answer looks like, at most 64 characters, or empty
}

// Suggestion is something that could be typed.
type Suggestion struct {
	Label string // what is shown
	Value string // what is typed
}

// Answer is what follows from one request.
type Answer struct {
	// Channel is what everybody in the channel reads, in order.
	Channel []Message
	// Asker is what only the asker reads: a toast, an ephemeral message or a
	// reply, as the platform has it. Nil means nothing: a press is
	// acknowledged in silence.
	Asker *Message
	// Brief tells a presser what Channel tells all, on one or two short lines,
	// where Channel has to wait for its turn. Nil means that it can't be told
	// so shortly.
	Brief Text
	// Suggestions answer a request that is Completing, best first.
	Suggestions []Suggestion
	// Told is called once all of Channel has been delivered, so that nothing
	// is told again after a restart. Nil means that nobody needs to know. It
	// may be called from any goroutine.
	Told func()
}
