package words

// englishClock returns the English sentences about waiting, beginning anew, and what
// people and chats set.
func englishClock() map[Key]string {
	return map[Key]string{
		// Waiting for somebody, and throwing for them.
		In:            "in {span}",
		Remind:        "<⏳> {name}, your go. Hiss throws for you {when}.",
		Nudge:         "<⏳> {name}, {who} asks for your go.",
		NudgeSelf:     "It's your own go: press Roll, or type /roll.",
		NudgeNobody:   "Nobody is waited for now. Roll goes on.",
		NudgeOff:      "{name} doesn't want to be called. Hiss throws for them when their time is over.",
		NudgeTwice:    "{name} has been called for this go already.",
		AwayFirst:     "<⏳> {name} is away: Hiss throws the very same dice",
		AwayOn:        "<💤> {name} is away: from now on Hiss throws at once. Any press of theirs brings them back.",
		AwayBack:      "Welcome back, you throw for yourself again.",
		Rest:          "<💤> Everybody is away, so the match rests. Roll goes on.",
		PaceDay:       "From now on every go of this match has a day.",
		NotYourGoIn:   "It's {name}'s go; Hiss throws for them {when}.",
		WaitHostUntil: "{host} starts this match; if they don't, anyone seated can {when}.",
		StatusWhen:    ", Hiss throws {when}",
		LobbyAnyone:   "{host} seems to be away: anyone seated can start.",
		LobbyInAll:    "You're in, and so is everybody else. The order is drawn.",
		ClosedNames:   "Nobody started this match, so it is closed. Another time, {names}.",

		// The end, and beginning anew.
		CancelAsk:      "{name} asks to end this match. It ends in {span} unless someone seated objects.",
		CancelAsked:    "You have asked already; the match ends {when} unless someone seated objects.",
		CancelObjected: "{name} objects, the match goes on.",
		NoVote:         "Nobody asks to end this match any more.",
		Rematch:        "For {names}: press Join within {span}, whoever doesn't is left out.",
		RematchWaits:   "The order is drawn {when}, or as soon as everybody has joined.",
		RematchWait:    "The order of the seats is drawn {when}, or as soon as everybody has joined. Roll then.",
		RematchKept:    "The seats are kept for those who have just played. Press Join {when}.",
		NoRematch:      "There's no match here to play again. /newgame opens one.",
		Ordered:        "Drawn by the sealed dice: {seats}",
		Computer:       "Hiss",
		BotsRoom:       "There are {n} seats only, and one of them is yours. Ask for fewer bots.",
		PrivateAgainst: "<🎲> You against Hiss on {board} ({N} squares), {rules}",
		ButtonPlayOn:   "Play on",
		ButtonRematch:  "Rematch",
		ButtonAddBot:   "Add Hiss",
		ButtonDay:      "A day per go",

		// What people set for themselves.
		CallsOn:    "You're called when it's your go and you aren't here. /calls off ends it.",
		CallsOff:   "Nobody calls you any more, here or elsewhere. /calls on changes that.",
		CallsHow:   "/calls off stops Hiss from calling you when it's your go, /calls on lets it.",
		AutoAlways: "Hiss throws for you in every match from now on. /autoroll never ends it.",
		AutoNever:  "You throw for yourself in every match that you join from now on.",

		// What a chat sets.
		SettingsHead:     "How matches run here:",
		SettingsRow:      "{setting}: {value} (default {d})",
		SettingsNow:      "{setting} is now {value} (was {old}).",
		SettingsHow:      "/settings and a name tells what it takes; admins set it, as in /settings pace day.",
		NoSetting:        "No setting \"{x}\". Did you mean {y}?",
		NoSettingLike:    "No setting \"{x}\". The settings are {keys}.",
		BadPace:          "pace takes live, day, none, or a span from 30s to 7d, not \"{value}\".",
		BadLobby:         "lobby takes a span from 1m to 24h, not \"{value}\".",
		NoPlaceLeft:      "That would leave no place to play in. /settings places everywhere opens all of them.",
		Elsewhere:        "Matches are played in {channels} here. An admin can change that with /settings places.",
		MainPlace:        "the chat itself",
		OtherPlace:       "another place",
		AdminsStart:      "Only admins of this chat start matches here. Ask one of them.",
		SettingsBoard:    "The board of a match if nothing else is said: one by its name, or random.",
		SettingsRules:    "The rules of a match if nothing else is said, such as family or plain dice=2.",
		SettingsPace:     "How long somebody is waited for before Hiss throws for them: live (90 s), day, none, or a span from 30s to 7d. Matches keep the pace that they began with.",
		SettingsLobby:    "How long a table stays open on which nothing happens, from 1m to 24h.",
		SettingsPictures: "Whether matches show pictures: on, ends (of matches alone), off.",
		SettingsQuiet:    "Whether all messages are silent.",
		SettingsStart:    "Who may open matches: everyone, or admins.",
		SettingsPlaces:   "Where matches may be opened: everywhere, or where an admin has said /settings places here. /settings places not here takes a place out.",
		SettingsLanguage: "The language that Hiss speaks here. There's only one so far: en.",

		// What the commands for that are called.
		CmdAddbot:   "Seat a computer player",
		CmdNudge:    "Call the player whose go it is",
		CmdCalls:    "Whether Hiss calls you: on or off",
		CmdSettings: "How matches run here",
		OptBots:     "How many computer players sit down",
		OptCalls:    "Off stops Hiss from calling you",
		OptSetting:  "What to set",
		OptValue:    "What it is to be",
	}
}
