package rules

// Reason names why an act is refused.
type Reason uint8

// The reasons.
const (
	NotYourGo   Reason = iota // another seat is on turn
	NotSeated                 // the player has no seat
	AlreadyIn                 // the player has one already
	Full                      // all seats are taken
	TooLate                   // everybody has thrown once; for an order, somebody has
	TooFew                    // one more player is needed
	WaitHost                  // the host begins
	Over                      // the match is over
	GotUp                     // the player left this match
	WasUnseated               // the player was taken out of it
	NoSuchSeat                // nobody of that name or number sits here
	NoChange                  // it is so already
	IsHome                    // the seat is home; its place can't be given up
)

// Refusal is an act that the rules don't allow. It's an ordinary result: it is
// told to whoever asked, and never logged.
type Refusal struct {
	Reason Reason
	Seat   int // whom it is about: the seat on turn, the asker's, the host's
}

// Error names the reason for logs and tests.
func (r *Refusal) Error() string {
	return [...]string{
		"not your go", "not seated", "already in", "full", "too late", "too few",
		"wait for the host", "over", "got up", "was unseated", "no such seat", "no change", "is home",
	}[r.Reason]
}

func refuse(reason Reason, seat int) *Refusal { return &Refusal{reason, seat} }
