package words

// englishPictures returns the English sentences that stand with pictures.
func englishPictures() map[Key]string {
	return map[Key]string{
		PictureAlt:    "{board}: {standings}",
		PictureGo:     "{board} · go {n} of {of}",
		FailPicture:   "I may not send pictures here, so there are words alone; /board shows the board as text. \"{right}\" would change that.",
		ReplayAside:   "A match is on here, so I don't show this to everybody.",
		PosterLadder:  "longest ladder {name} {a} → {b}",
		PosterSnake:   "longest snake {name} {a} → {b}",
		PosterTurning: "turning point: go {n}",
		PosterGoes:    "{n} {n|go|goes}",
		ButtonInWords: "In words",
		ButtonAside:   "Watch it in private",
	}
}
