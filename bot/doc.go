// Package bot is the vocabulary that platforms and games share: what somebody
// asked for, what is said back, and who carries the one to the other.
//
// It knows what a chat bot is on any platform (a request, a message, a button,
// a command, a handler, an adapter) and how adapters run side by side. It
// knows no game, no storage and no platform's own library, so every package of
// the house may import it.
//
// Requests flow in by an Adapter, which hands them to a Handler; the Handler's
// Answer flows back by the same Adapter. What nobody asked for (a reminder,
// what was missed during a restart) goes out by Adapter.Send.
package bot
