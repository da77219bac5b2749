package queue

import "hiss/bot"

// Debts are what was said but couldn't be told, by place: it stands above the
// next message that can. Whoever shares them locks them.
type Debts map[string]*Post

// Owe keeps what is said in a post that couldn't be told, as far as it has room
// in that many UTF-16 units.
func (d Debts) Owe(p *Post, units int) {
	said := bot.Lines(p.Above, p.Unseen)
	if len(said) == 0 {
		return
	}
	kept := &Post{Place: p.Place, Unseen: said, Told: p.Told, Since: p.Since}
	if before := d[p.Place]; before != nil && kept.Follows(before, units) {
		kept.Follow(before)
	}
	d[p.Place] = kept
}

// Pay puts what is owed to a post's place above it, and reports whether there
// was anything.
func (d Debts) Pay(p *Post, units int) bool {
	kept := d[p.Place]
	delete(d, p.Place)
	if kept == nil || !p.Follows(kept, units) {
		return false
	}
	p.Follow(kept)
	return true
}
