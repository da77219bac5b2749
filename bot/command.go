package bot

// OptionKind says what an option of a command takes.
type OptionKind uint8

// The kinds of option.
const (
	Word   OptionKind = iota // one word or, with choices, one of them
	Line                     // the rest of the line
	Number                   // a whole number
	Person                   // somebody in the chat
	File                     // an attachment
)

// Option is one thing that a command can be given. On a platform with typed
// options it is one of them; where commands are typed text, Name tells what
// stands there, and options that are Keyed are written "name=value".
type Option struct {
	Name    string
	Summary string
	Kind    OptionKind
	Keyed   bool
	Choices []string
	// Least and Most bound a number, if Most isn't 0.
	Least, Most int
	Suggests    bool // values are suggested while typing (Request.Completing)
	// Needed says that the command is of no use without it. Platforms with typed
	// options insist on it, and have it first; typed text may lack it all the
	// same.
	Needed bool
}

// Place says in which menus a command is listed. Every command works
// everywhere that it makes sense, whether listed or not.
type Place uint8

// The menus that platforms show.
const (
	InGroups Place = 1 << iota
	ForAdmins
	InPrivate
)

// Command is one row of the table that feeds dispatch, help and registration.
type Command struct {
	Name    string // a–z, 1 to 32 letters
	Summary string // one line, at most 100 characters
	Options []Option
	// Subs are commands of its own that its first word chooses. A command has
	// these or options.
	Subs []Command
	// Admins marks a command that is of no use to anybody else.
	Admins bool
	Menus  Place // where it is listed
	// Shared marks a word that other bots in a chat may own: it is obeyed only
	// where this bot was named.
	Shared bool
}
