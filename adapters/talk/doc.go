// Package talk is the language of the terminal and of conversation tests: how
// a line that somebody typed is read, and how a message is printed.
//
// It knows names, channels, buttons and directives as text. It knows no game,
// no storage and no real input or output: package console puts it on a
// terminal or a pipe, package fake in tests.
//
// # Lines
//
//	asha: /join                  Asha gives a command
//	#garden asha: [Roll]         presses a button in another channel
//	#club/garden Bo: hello       talks in a thread of a chat; talk is ignored
//	/roll                        without a name: said by the last speaker
//	"bot": /join                 a name that can't stand as it is, as JSON
//	!wait 10m                    a directive
//	# what this shows            a comment, as is a lone #
//	bot: Asha is next            what was said by the bot: skipped
//	     [Roll]                  and a further line of it
//	!file jungle.yaml            a file that goes with the next request
//	asha: 4-14 9-31 17-7         talk, unless Asha was just asked for it
//
// A session obeys some directives itself: !again (the last delivery once more),
// !admin Asha, !file jungle.yaml, !gone Bilal (who has left the chat without a
// word, until he says something), !unreachable and !reachable (nobody can be
// reached between them, as in an outage).
//
// Plain text answers a question that the bot asked its speaker privately in that
// channel (bot.Question), until they give a command or press a button there; with
// a file that waits, the file is the answer, whatever the text.
//
// White space around a line doesn't count, except that five spaces begin a
// further line of what the bot said; they are a fault where no such line
// stands above. The bot's lines are skipped so that a record of a conversation
// can be read in again.
//
// A name is all before the first colon that is followed by white space or ends
// the line. Text that begins with "/" or "[" needs no name, whatever colons
// are in it: "/newgame size: 5" is a command of the last speaker. A name is
// written as a JSON string, as in Quote, when it begins with one of
// # ! " / [ or has a ": " in it, when white space surrounds it, when it is
// "bot" or looks like "bot (only x)", and when it holds characters that a
// terminal obeys instead of showing. Any name may be written so.
//
// What can't be read is a Fault. It changes nothing, and the lines after it
// count as ever.
package talk
