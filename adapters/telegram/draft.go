package telegram

import (
	"bytes"
	"context"
	"io"
	"path"
	"strconv"
	"strings"

	client "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// longName is the file that a text too long for a message is sent as, and
// longHead how much of it, in UTF-16 units, stands above the file.
const (
	longName = "hiss.txt"
	longHead = 500
)

// draft is a message as the Bot API takes it.
type draft struct {
	call    *api
	chat    int64
	topic   int
	reply   int
	silent  bool
	text    rendered
	keys    *models.InlineKeyboardMarkup
	force   *models.ForceReply // where there's no keyboard
	picture *bot.Picture       // to which the text is the caption
	drawn   []byte             // its file
	known   string             // or its id, where Telegram has it already
	file    *bot.Document      // to which the text is the caption
}

// markup returns the keyboard as a call takes it: a nil pointer in an interface
// isn't nil.
func (d draft) markup() models.ReplyMarkup {
	switch {
	case d.keys != nil:
		return d.keys
	case d.force != nil:
		return d.force
	}
	return nil
}

// replyTo returns what a call replies to. Where that was deleted it's sent all
// the same.
func (d draft) replyTo() *models.ReplyParameters {
	if d.reply == 0 {
		return nil
	}
	return &models.ReplyParameters{MessageID: d.reply, AllowSendingWithoutReply: true}
}

// noPreview keeps a name that looks like an address from drawing a preview.
func noPreview() *models.LinkPreviewOptions {
	return &models.LinkPreviewOptions{IsDisabled: client.True()}
}

// send sends a new message, and returns it. There is nothing to send, and no
// message, where nothing can be seen.
func (d draft) send(ctx context.Context) (m *models.Message, err error) {
	switch {
	case d.file != nil:
		m, err = d.sendDocument(ctx, d.file.Name, d.file.Data)
	case d.picture != nil:
		m, err = d.sendPicture(ctx)
	case d.text.units > maxText:
		m, err = d.sendLong(ctx)
	case d.text.units == 0:
		return nil, nil
	default:
		m, err = d.call.SendMessage(ctx, &client.SendMessageParams{
			ChatID: d.chat, MessageThreadID: d.topic, Text: d.text.text, Entities: d.text.entities,
			LinkPreviewOptions: noPreview(), DisableNotification: d.silent,
			ReplyParameters: d.replyTo(), ReplyMarkup: d.markup(),
		})
	}
	return m, d.call.hide(err)
}

// sendPicture sends a picture with the text as its caption: as an animation or
// a photo where Telegram shows it so, else as a file.
func (d draft) sendPicture(ctx context.Context) (*models.Message, error) {
	var file models.InputFile = &models.InputFileString{Data: d.known}
	if d.known == "" {
		file = &models.InputFileUpload{Filename: d.picture.Name, Data: bytes.NewReader(d.drawn)}
	}
	switch kindOf(d.picture) {
	case animation:
		return d.call.SendAnimation(ctx, &client.SendAnimationParams{
			ChatID: d.chat, MessageThreadID: d.topic, Animation: file, Caption: d.text.text, CaptionEntities: d.text.entities,
			DisableNotification: d.silent, ReplyParameters: d.replyTo(), ReplyMarkup: d.markup(),
		})
	case photo:
		return d.call.SendPhoto(ctx, &client.SendPhotoParams{
			ChatID: d.chat, MessageThreadID: d.topic, Photo: file, Caption: d.text.text, CaptionEntities: d.text.entities,
			DisableNotification: d.silent, ReplyParameters: d.replyTo(), ReplyMarkup: d.markup(),
		})
	}
	return d.sendDocument(ctx, d.picture.Name, d.drawn)
}

// sendDocument sends a file with the text as its caption.
func (d draft) sendDocument(ctx context.Context, name string, data []byte) (*models.Message, error) {
	return d.call.SendDocument(ctx, &client.SendDocumentParams{
		ChatID: d.chat, MessageThreadID: d.topic,
		Document: &models.InputFileUpload{Filename: name, Data: bytes.NewReader(data)},
		Caption:  d.text.text, CaptionEntities: d.text.entities,
		DisableNotification: d.silent, ReplyParameters: d.replyTo(), ReplyMarkup: d.markup(),
	})
}

// sendLong sends a text that is too long for a message as a file, with its
// beginning above.
func (d draft) sendLong(ctx context.Context) (*models.Message, error) {
	head := ""
	for line := range strings.Lines(d.text.text) {
		if units(head+line) > longHead {
			break
		}
		head += line
	}
	if head == "" { // one long line
		head = string([]rune(d.text.text)[:longHead/2])
	}
	whole := d.text.text + "\n"
	d.text = rendered{text: strings.TrimSpace(head) + " …"}
	return d.sendDocument(ctx, longName, []byte(whole))
}

// edit changes a message of one's own, of which media tells whether it has a
// picture, and returns it.
func (d draft) edit(ctx context.Context, id int, media bool) (m *models.Message, err error) {
	switch {
	case d.picture != nil && kindOf(d.picture) != document:
		m, err = d.call.EditMessageMedia(ctx, &client.EditMessageMediaParams{
			ChatID: d.chat, MessageID: id, Media: d.media(), ReplyMarkup: d.markup(),
		})
	case media:
		m, err = d.call.EditMessageCaption(ctx, &client.EditMessageCaptionParams{
			ChatID: d.chat, MessageID: id, Caption: d.text.text, CaptionEntities: d.text.entities, ReplyMarkup: d.markup(),
		})
	default:
		m, err = d.call.EditMessageText(ctx, &client.EditMessageTextParams{
			ChatID: d.chat, MessageID: id, Text: d.text.text, Entities: d.text.entities,
			LinkPreviewOptions: noPreview(), ReplyMarkup: d.markup(),
		})
	}
	return m, d.call.hide(err)
}

// media returns the picture as an edit takes it.
func (d draft) media() models.InputMedia {
	at, data := "attach://"+d.picture.Name, io.Reader(bytes.NewReader(d.drawn))
	if d.known != "" {
		at, data = d.known, nil
	}
	if kindOf(d.picture) == animation {
		return &models.InputMediaAnimation{Media: at, Caption: d.text.text, CaptionEntities: d.text.entities, MediaAttachment: data}
	}
	return &models.InputMediaPhoto{Media: at, Caption: d.text.text, CaptionEntities: d.text.entities, MediaAttachment: data}
}

// strip takes the buttons off a message.
func (a *api) strip(ctx context.Context, chat int64, id int) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	_, err := a.EditMessageReplyMarkup(ctx, &client.EditMessageReplyMarkupParams{ChatID: chat, MessageID: id})
	return a.hide(err)
}

// mediaKind is what Telegram shows a file as.
type mediaKind uint8

const (
	document mediaKind = iota
	photo
	animation
)

func kindOf(p *bot.Picture) mediaKind {
	switch strings.ToLower(path.Ext(p.Name)) {
	case ".gif":
		return animation
	case ".png", ".jpg", ".jpeg":
		return photo
	}
	return document
}

// topicNumber returns the topic that a place is, 0 for none.
func topicNumber(place string) int {
	n, err := strconv.Atoi(place)
	if err != nil {
		return 0
	}
	return n
}
