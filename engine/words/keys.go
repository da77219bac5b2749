package words

// The sentences of the catalogue. What each one is filled with, its gaps tell.

// The lobby.
const (
	LobbyHead      Key = "lobby.head"
	LobbySeats     Key = "lobby.seats"
	LobbySeatsOf   Key = "lobby.seats.of"
	LobbySeat      Key = "lobby.seat"
	LobbyMore      Key = "lobby.more"
	LobbyWaitOne   Key = "lobby.wait.one"
	LobbyWaitAlone Key = "lobby.wait.alone"
	LobbyForOne    Key = "lobby.one"
	LobbyWaitHost  Key = "lobby.wait.host"
	LobbySealed    Key = "lobby.sealed"
	LobbyLoaded    Key = "lobby.loaded"
	LobbyIn        Key = "lobby.in"
	LobbyInLate    Key = "lobby.in.late"
	LobbyOut       Key = "lobby.out"
	LobbyFull      Key = "lobby.full"
	LobbyLeft      Key = "lobby.left"
	LobbyLate      Key = "lobby.late"
	LobbyUnseated  Key = "lobby.unseated"
	PrivateOpen    Key = "private.open"
	PrivateGo      Key = "private.go"
)

// What the rules say, as sentences of the lobby.
const (
	RulesOneDie         Key = "rules.die"
	RulesDice           Key = "rules.dice"
	RulesOneDieOf       Key = "rules.die.of"
	RulesDiceOf         Key = "rules.dice.of"
	RulesMax            Key = "rules.max"
	RulesMaxVoid        Key = "rules.max.void"
	RulesMaxVoidOne     Key = "rules.max.void.one"
	RulesDoubles        Key = "rules.doubles"
	RulesDoublesVoid    Key = "rules.doubles.void"
	RulesDoublesVoidOne Key = "rules.doubles.void.one"
	RulesExact          Key = "rules.exact"
	RulesOvershoot      Key = "rules.overshoot"
	RulesBounce         Key = "rules.bounce"
	RulesLast           Key = "rules.last"
	RulesAll            Key = "rules.all"
	RulesCustom         Key = "rules.custom"
)

// A go.
const (
	GoMove         Key = "go.move"
	GoLadder       Key = "go.ladder"
	GoSnake        Key = "go.snake"
	GoStay         Key = "go.stay"
	GoBounce       Key = "go.bounce"
	GoBounceLadder Key = "go.bounce.ladder"
	GoBounceSnake  Key = "go.bounce.snake"
	GoBounceStay   Key = "go.bounce.stay"
	GoVoid         Key = "go.void"
	GoVoidOne      Key = "go.void.one"
	GoAgain        Key = "go.again"
	GoFaces        Key = "go.faces"
	GoAway         Key = "go.away"
	GoAuto         Key = "go.auto"
	GoLong         Key = "go.long"
	Standing       Key = "standing"
	StandingHome   Key = "standing.home"
	Next           Key = "next"
	NextAgain      Key = "next.again"
	NextNobody     Key = "next.nobody"
)

// Away, leaving.
const (
	AutoOn     Key = "auto.on"
	AutoOff    Key = "auto.off"
	AutoIs     Key = "auto.is"
	AutoIsNot  Key = "auto.isnot"
	AutoHow    Key = "auto.how"
	Leave      Key = "leave"
	LeaveHost  Key = "leave.host"
	Unseat     Key = "unseat"
	UnseatHost Key = "unseat.host"
	UnseatLast Key = "unseat.last"
	LeaveLast  Key = "leave.last"
	YouLeft    Key = "you.left"
	Missed     Key = "missed"
	Moved      Key = "moved"
)

// The end.
const (
	Win        Key = "win"
	Home       Key = "home"
	Rank       Key = "rank"
	RankOn     Key = "rank.on"
	RankLeft   Key = "rank.left"
	Walkover   Key = "walkover"
	EndEmpty   Key = "end.empty"
	EndRoom    Key = "end.room"
	EndRoomWon Key = "end.room.won"
	EndStands  Key = "end.stands"
	Opened     Key = "open"
	Cancel     Key = "cancel"
	CancelWon  Key = "cancel.won"
	Closed     Key = "lobby.closed"
	RestClosed Key = "rest.closed"
)

// Looking.
const (
	StatusLobby Key = "status.lobby"
	StatusGo    Key = "status.go"
	StatusOn    Key = "status.on"
	StatusHome  Key = "status.home"
	StatusLast  Key = "status.last"
	StatusLeft  Key = "status.left"
	StatusAuto  Key = "status.auto"
	StatusAway  Key = "status.away"
	StatusWon   Key = "status.won"
	StatusOver  Key = "status.over"
	BoardHead   Key = "board.head"
	BoardToken  Key = "board.token"
	HistoryLine Key = "history.line"
	HistoryNone Key = "history.none"
)

// Proof.
const (
	FairOn     Key = "fair.on"
	FairFaces  Key = "fair.faces"
	FairFace   Key = "fair.face"
	FairOnly   Key = "fair.only"
	FairDone   Key = "fair.done"
	FairRecipe Key = "fair.recipe"
	FairLoaded Key = "fair.loaded"
	FairRandom Key = "fair.random"
)

// Replay.
const (
	ReplayList      Key = "replay.list"
	ReplayRow       Key = "replay.row"
	ReplayRowOver   Key = "replay.row.over"
	ReplayNone      Key = "replay.none"
	ReplayHead      Key = "replay.head"
	ReplayHeadOver  Key = "replay.head.over"
	ReplayChecked   Key = "replay.checked"
	ReplayLoaded    Key = "replay.loaded"
	ReplayBad       Key = "replay.bad"
	ReplayBadLoaded Key = "replay.bad.loaded"
	ReplayBroken    Key = "replay.broken"
	ReplayBrokenAct Key = "replay.broken.act"
	ReplayAfter     Key = "replay.after"
	ReplayIf        Key = "replay.if"
	ReplayIfNobody  Key = "replay.if.nobody"
	ReplayIfUnwon   Key = "replay.if.unwon"
	ReplayIfNeither Key = "replay.if.neither"
)

// Refusals.
const (
	NotYourGo     Key = "not_your_go"
	NotSeated     Key = "not_seated"
	NotSeatedJoin Key = "not_seated.join"
	AlreadyIn     Key = "already_in"
	Full          Key = "full"
	FullOne       Key = "full.one"
	TooLate       Key = "too_late"
	TooFew        Key = "too_few"
	WaitHost      Key = "wait_host"
	Over          Key = "over"
	OverEnded     Key = "over.ended"
	OverUnwon     Key = "over.unwon"
	NoMatch       Key = "no_match"
	RunningMine   Key = "running.mine"
	RunningOther  Key = "running.other"
	RunningLobby  Key = "running.lobby"
	RunningIn     Key = "running.lobby.in"
	RunningFull   Key = "running.lobby.full"
	OldGo         Key = "old_go"
	OldButton     Key = "old_button"
	OldMatch      Key = "old_match"
	OldMatchOn    Key = "old_match.on"
	Unseated      Key = "unseated"
	GotUp         Key = "got_up"
	IsHome        Key = "is_home"
	IsHomeOther   Key = "is_home.other"
	HostOnly      Key = "host_only"
	AsBot         Key = "as_bot"
	Endless       Key = "endless"
	EndlessBoard  Key = "endless.board"
	DiceOne       Key = "dice.one"
	DiceMany      Key = "dice.many"
	EndExact      Key = "end.exact"
	EndOvershoot  Key = "end.overshoot"
	EndBounce     Key = "end.bounce"
	NoBoard       Key = "no_board"
	NoBoardNone   Key = "no_board.none"
	NoBoardLike   Key = "no_board.like"
	NoRules       Key = "no_rules"
	NoSeed        Key = "no_seed"
	NoRecord      Key = "no_record"
	NoSuchGo      Key = "no_such_go"
	NoSeat        Key = "no_seat"
	NoSeatHow     Key = "no_seat.how"
	NoSeatMany    Key = "no_seat.many"
	Sealed        Key = "sealed"
	BadValue      Key = "bad_option.value"
	BadRange      Key = "bad_option.range"
	BadKey        Key = "bad_option.key"
	BadKeyLike    Key = "bad_option.key.like"
	BadTwice      Key = "bad_option.twice"
	BadVoid       Key = "bad_option.void"
	BadDoubles    Key = "bad_option.doubles"
	BadWord       Key = "bad_option.word"
	BadExtra      Key = "bad_option.extra"
	BadRandomKey  Key = "bad_option.random"
	BadRandomFit  Key = "bad_option.random.fit"
	BadRandomNone Key = "bad_option.random.none"
	BadRandomEnd  Key = "bad_option.random.end"
	NoCommand     Key = "no_command"
	NoCommandHelp Key = "no_command.help"
	TooLong       Key = "too_long"
)

// Failures.
const (
	FailLost    Key = "fail.lost"
	FailUnsure  Key = "fail.unsure"
	FailRecord  Key = "fail.record"
	FailArchive Key = "fail.archive"
)

// Welcome and help.
const (
	Start         Key = "start"
	Help          Key = "help"
	HelpBody      Key = "help.body"
	HelpRules     Key = "help.rules"
	HelpRulesHere Key = "help.rules.here"
	HelpRulesNew  Key = "help.rules.new"
	HelpRulesSets Key = "help.rules.sets"
	HelpRulesKeys Key = "help.rules.keys"
	HelpBoards    Key = "help.boards"
	HelpBoard     Key = "help.board"
	HelpRandom    Key = "help.random"
	HelpFair      Key = "help.fair"
	HelpAdmins    Key = "help.admins"
	HelpAll       Key = "help.all"
	HelpCommand   Key = "help.command"
	HelpNoTopic   Key = "help.no_topic"
)

// Buttons.
const (
	ButtonJoin      Key = "button.join"
	ButtonJoinLate  Key = "button.join_late"
	ButtonRoll      Key = "button.roll"
	ButtonRollStart Key = "button.roll_start"
	ButtonRollAlone Key = "button.roll_alone"
	ButtonNextRound Key = "button.next_round"
	ButtonNewMatch  Key = "button.new_match"
	ButtonWatch     Key = "button.watch"
	ButtonSquares   Key = "button.squares"
	ButtonRules     Key = "button.rules"
	ButtonBoards    Key = "button.boards"
	ButtonFair      Key = "button.fair"
	ButtonAdmins    Key = "button.admins"
	ButtonAll       Key = "button.all"
)

// Small words.
const (
	Player   Key = "player"
	Somebody Key = "somebody"
	Days     Key = "days"
)

// What the commands are for.
const (
	CmdNewgame  Key = "command.newgame"
	CmdJoin     Key = "command.join"
	CmdLeave    Key = "command.leave"
	CmdRoll     Key = "command.roll"
	CmdAutoroll Key = "command.autoroll"
	CmdStatus   Key = "command.status"
	CmdBoard    Key = "command.board"
	CmdCancel   Key = "command.cancel"
	CmdUnseat   Key = "command.unseat"
	CmdReplay   Key = "command.replay"
	CmdHistory  Key = "command.history"
	CmdFair     Key = "command.fair"
	CmdBoards   Key = "command.boards"
	CmdRules    Key = "command.rules"
	CmdHelp     Key = "command.help"
	CmdStart    Key = "command.start"
)
