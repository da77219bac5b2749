package words

// Waiting for somebody, and throwing for them.
const (
	In            Key = "in"
	Remind        Key = "remind"
	Nudge         Key = "nudge"
	NudgeSelf     Key = "nudge.self"
	NudgeHost     Key = "nudge.host"
	NudgeNobody   Key = "nudge.nobody"
	NudgeOff      Key = "nudge.off"
	NudgeTwice    Key = "nudge.twice"
	AwayFirst     Key = "go.away.first"
	AwayOn        Key = "away.on"
	AwayBack      Key = "away.back"
	Rest          Key = "rest"
	RestOthers    Key = "rest.others"
	PaceDay       Key = "pace.day"
	NotYourGoIn   Key = "not_your_go.in"
	WaitHostUntil Key = "wait_host.until"
	StatusWhen    Key = "status.when"
	LobbyAnyone   Key = "lobby.anyone"
	LobbyInAll    Key = "lobby.in.all"
	ClosedNames   Key = "lobby.closed.names"
)

// The end, and beginning anew.
const (
	CancelAsk      Key = "cancel.ask"
	CancelAsked    Key = "cancel.asked"
	CancelAskedBy  Key = "cancel.asked.by"
	CancelObjected Key = "cancel.objected"
	CancelBack     Key = "cancel.back"
	CancelAgain    Key = "cancel.again"
	NoVote         Key = "cancel.none"
	Rematch        Key = "rematch"
	RematchWaits   Key = "rematch.waits"
	RematchWait    Key = "rematch.wait"
	RematchIn      Key = "rematch.in"
	Medal1         Key = "rank.medal.1"
	Medal2         Key = "rank.medal.2"
	Medal3         Key = "rank.medal.3"
	RematchKept    Key = "rematch.kept"
	RematchRoom    Key = "rematch.room"
	RematchLeft    Key = "rematch.left"
	NoRematch      Key = "rematch.none"
	FairOrder      Key = "fair.order"
	Ordered        Key = "rematch.order"
	Computer       Key = "computer"
	BotsRoom       Key = "bots.room"
	PrivateAgainst Key = "private.against"
	ButtonPlayOn   Key = "button.playon"
	ButtonRematch  Key = "button.rematch"
	ButtonAddBot   Key = "button.addbot"
	ButtonDay      Key = "button.day"
)

// What people set for themselves.
const (
	CallsOn    Key = "calls.on"
	CallsOff   Key = "calls.off"
	CallsHow   Key = "calls.how"
	AutoAlways Key = "auto.always"
	AutoNever  Key = "auto.never"
)

// What a chat sets.
const (
	SettingsHead     Key = "settings.head"
	SettingsRow      Key = "settings"
	SettingsNow      Key = "settings.now"
	SettingsHow      Key = "settings.how"
	NoSetting        Key = "settings.none"
	NoSettingLike    Key = "settings.none.like"
	BadPace          Key = "settings.bad.pace"
	BadLobby         Key = "settings.bad.lobby"
	NoPlaceLeft      Key = "settings.bad.places"
	Elsewhere        Key = "elsewhere"
	MainPlace        Key = "elsewhere.main"
	OtherPlace       Key = "elsewhere.other"
	AdminsStart      Key = "admins_start"
	SettingsBoard    Key = "settings.board"
	SettingsRules    Key = "settings.rules"
	SettingsPace     Key = "settings.pace"
	SettingsLobby    Key = "settings.lobby"
	SettingsPictures Key = "settings.pictures"
	SettingsTheme    Key = "settings.theme"
	SettingsQuiet    Key = "settings.quiet"
	SettingsStart    Key = "settings.start"
	SettingsPlaces   Key = "settings.places"
	SettingsLanguage Key = "settings.language"
)

// What the commands for that are called.
const (
	CmdAddbot   Key = "command.addbot"
	CmdNudge    Key = "command.nudge"
	CmdCalls    Key = "command.calls"
	CmdSettings Key = "command.settings"
	OptBots     Key = "option.bots"
	OptCalls    Key = "option.calls"
	OptSetting  Key = "option.setting"
	OptValue    Key = "option.value"
)
