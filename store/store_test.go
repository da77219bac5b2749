package store_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
	"hiss/store"
)

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(t.TempDir(), "a b?%.db"))
	if err != nil {
		t.Fatal(err)
	}
	r := engine.Record{Channel: bot.Channel{Chat: "x:1", Place: "7"}, Seed: "S", Board: "B", Rules: "R", Acts: "a\x00b",
		Seats: []engine.Sitter{{User: "x:2", Name: "N"}, {Name: "Robo"}}, Open: true, Deadline: time.Unix(5, 0), Entries: 2, Deliveries: []uint32{1, 2}}
	if err := s.Put(ctx, &r); err != nil {
		t.Fatal(err)
	}
	r.Acts = "abc"
	if err := s.Put(ctx, &r); err != nil {
		t.Fatal(err)
	}
	r.Seats = r.Seats[:1]
	if err := s.Put(ctx, &r); err != nil {
		t.Fatal(err)
	}
	got, err := s.Latest(ctx, r.Channel)
	t.Logf("%+v %v", got, err)
	rs, err := s.Untold(ctx, 0, 5)
	t.Logf("%+v %v", rs, err)
	rs, err = s.Due(ctx, time.Unix(5, 0), 5)
	t.Logf("%+v %v", rs, err)
	rs, err = s.Finished(ctx, "x:1", 5)
	t.Logf("%+v %v", rs, err)
	t.Log(s.SetAside(ctx, 1), s.Tell(ctx, 1, 2), s.Tell(ctx, 9, 2), s.Move(ctx, "x:1", "x:2"))
	got, err = s.Latest(ctx, r.Channel)
	t.Logf("%+v %v", got, err)
	t.Log(s.Notes().Put("k", []byte("v")))
	t.Log(s.Notes().Get("k"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
