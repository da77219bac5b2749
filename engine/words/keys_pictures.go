package words

// What stands with pictures and films, and what they are called.
const (
	PictureAlt       Key = "picture.alt"
	PictureGo        Key = "picture.go"
	FailPicture      Key = "fail.picture"
	NoPictures       Key = "pictures.none"
	ReplayAside      Key = "replay.aside"
	ReplayLong       Key = "replay.long"
	ReplayJust       Key = "replay.just"
	ReplayIfAfter    Key = "replay.if.after"
	PosterLadder     Key = "poster.ladder"
	PosterSnake      Key = "poster.snake"
	PosterTurning    Key = "poster.turning"
	PosterGoes       Key = "poster.goes"
	ButtonInWords    Key = "button.inwords"
	ButtonAside      Key = "button.aside"
	ButtonAsideWords Key = "button.aside.words"
)
