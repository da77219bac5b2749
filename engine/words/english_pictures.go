package words

// englishPictures returns the English sentences that stand with pictures.
func englishPictures() map[Key]string {
	return map[Key]string{
		PictureAlt:       "{board}: {standings}",
		PictureGo:        "{board} · go {n} of {of}",
		FailPicture:      "I may not send pictures here, so there are words alone; /board shows the board as text. \"{right}\" would change that.",
		NoPictures:       "This Hiss shows no pictures, whatever is set for them.",
		ReplayAside:      "A match is on here, so I don't show this to everybody.",
		ReplayLong:       "All its goes in words are too long to say to everybody here.",
		ReplayJust:       "That was shown here a moment ago, just above.",
		ReplayIfAfter:    "What if on {board}, after go {n} of {of}:",
		PosterLadder:     "longest ladder {name} {a} → {b}",
		PosterSnake:      "longest snake {name} {a} → {b}",
		PosterTurning:    "turning point: go {n}",
		PosterGoes:       "{n} {n|go|goes}",
		ButtonInWords:    "In words",
		ButtonAside:      "Watch it in private",
		ButtonAsideWords: "Read it in private",
	}
}
