package telegram

import "time"

// budget is how many counted calls may leave at once, and how soon there's one
// more. Its methods are pure but for spend; whoever shares one locks it.
type budget struct {
	most  float64       // how many can be in hand
	every time.Duration // how long one more takes
	spent float64       // how many were missing at that time
	at    time.Time
}

// groupBudget keeps to Telegram's 20 sends and edits a minute in a group: five
// in hand and one more every four seconds are never over 20 in any minute, and
// nobody waits longer than four seconds.
func groupBudget() budget { return budget{most: 5, every: 4 * time.Second} }

// privateBudget keeps to about one message a second in a private chat.
func privateBudget() budget { return budget{most: 3, every: time.Second} }

// wholeBudget keeps to 30 messages a second in all chats together.
func wholeBudget() budget { return budget{most: 5, every: time.Second / 25} }

// missing returns how many calls have been spent and not come back yet.
func (b *budget) missing(now time.Time) float64 {
	return max(0, b.spent-float64(now.Sub(b.at))/float64(b.every))
}

// hand returns how many calls may leave now.
func (b *budget) hand(now time.Time) int {
	return int(b.most - b.missing(now) + 1e-9)
}

// wait returns how long it takes until n calls are in hand; n is at most what
// can be.
func (b *budget) wait(now time.Time, n int) time.Duration {
	lack := b.missing(now) - (b.most - float64(n))
	return max(0, time.Duration(lack*float64(b.every)))
}

// spend takes a call, whether or not there's one in hand.
func (b *budget) spend(now time.Time) {
	b.spent, b.at = b.missing(now)+1, now
}
