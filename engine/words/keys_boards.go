package words

// Sending a board, and deciding on it.
const (
	UpAsk       Key = "up.ask"
	UpTitle     Key = "up.title"
	UpHint      Key = "up.hint"
	UpFaults    Key = "up.faults"
	UpFaultsOf  Key = "up.faults.text"
	UpFault     Key = "up.fault"
	UpMore      Key = "up.more"
	UpMend      Key = "up.mend"
	UpLarge     Key = "up.large"
	UpUnread    Key = "up.unread"
	UpShipped   Key = "up.shipped"
	UpTaken     Key = "up.taken"
	UpFull      Key = "up.full"
	ThatBoard   Key = "up.that"
	UpClosed    Key = "up.closed"
	CardKept    Key = "card.kept"
	CardOut     Key = "card.out"
	CardJudged  Key = "card.judged"
	CardThrown  Key = "card.thrown"
	CardGone    Key = "card.gone"
	CardReplace Key = "card.replace"
)

// The health card of a board.
const (
	CardHead          Key = "card"
	CardLadder        Key = "card.ladder"
	CardSnake         Key = "card.snake"
	CardEnds          Key = "card.ends"
	CardEndless       Key = "card.endless"
	CardEndlessBoard  Key = "card.endless.board"
	CardRules         Key = "card.rules"
	CardOne           Key = "card.one"
	CardTwo           Key = "card.two"
	CardFour          Key = "card.four"
	CardSpan          Key = "card.span"
	CardFirst         Key = "card.first"
	CardFewest        Key = "card.fewest"
	CardUnused        Key = "card.unused"
	CardUnusedMany    Key = "card.unused.many"
	CardLong          Key = "card.long"
	CardShort         Key = "card.short"
	CardEstimated     Key = "card.estimated"
	CardTooLong       Key = "card.toolong"
	CardEstimate      Key = "card.estimate"
	EndlessBackToZero Key = "endless.back"
)

// The library.
const (
	BoardsOwn       Key = "boards.own"
	BoardsRow       Key = "boards.row"
	BoardsRowUsual  Key = "boards.row.usual"
	BoardsNone      Key = "boards.none"
	BoardsRemoved   Key = "boards.removed"
	BoardsStays     Key = "boards.stays"
	BoardsUsual     Key = "boards.usual"
	BoardsUsualIs   Key = "boards.usual.is"
	BoardsExport    Key = "boards.export"
	BoardsDrawn     Key = "boards.drawn"
	BoardsDrawnHere Key = "boards.drawn.here"
	BoardsWhich     Key = "boards.which"
	BoardsFormat    Key = "boards.format"
	BoardsWord      Key = "boards.word"
	BoardsNotOwn    Key = "boards.notown"
	BadGoesFit      Key = "bad.goes.fit"
	AdminOnly       Key = "admin_only"
	SlowDown        Key = "slow_down"
	FailSlow        Key = "fail.slow"
	ButtonApprove   Key = "button.approve"
	ButtonDiscard   Key = "button.discard"
	ButtonReplace   Key = "button.replace"
	ButtonKeep      Key = "button.keep"
	ButtonAnother   Key = "button.another"
	ButtonAddBoard  Key = "button.addboard"
)

// What is done with boards, and what that takes.
const (
	CmdBoardsUpload  Key = "command.boards.upload"
	CmdBoardsRemove  Key = "command.boards.remove"
	CmdBoardsExport  Key = "command.boards.export"
	CmdBoardsRandom  Key = "command.boards.random"
	CmdBoardsDefault Key = "command.boards.default"
	CmdOdds          Key = "command.odds"
	OptGoes          Key = "option.goes"
	OptFile          Key = "option.file"
	OptReplace       Key = "option.replace"
	OptLine          Key = "option.line"
	OptFormat        Key = "option.format"
)

// Chances.
const (
	OddsLine      Key = "odds.line"
	OddsEstimated Key = "odds.estimated"
	OddsRow       Key = "odds.row"
	OddsGoes      Key = "odds.goes"
	OddsOver      Key = "odds.over"
	OddsNone      Key = "odds.none"
	OddsNext      Key = "odds.next"
)
