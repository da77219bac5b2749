// Package telegram connects Telegram groups and private chats.
//
// It knows the Bot API and the vocabulary of package bot, and neither games nor
// storage. One update's way through it: updates are polled, or come by a webhook
// (poll.go, webhook.go); each is taken once, and waits in its chat's lane
// (ledger.go, lanes.go); what it asks for becomes a request (request.go,
// members.go); the answer is put in its chat's line (answer.go, line.go), in
// which what waits is folded (post.go), and leaves as calls within Telegram's
// pace (budget.go, deliver.go), as text with entities (text.go, keyboard.go).
// Answers to presses don't count and have a way of their own (ack.go).
//
// Of github.com/go-telegram/bot the calls and models are used. Its own polling
// isn't, since it confirms updates before they are handled, and neither is its
// dispatch, which keeps no order and recovers from nothing.
package telegram
