package store_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"runtime"
	"sync"
	"testing"

	_ "modernc.org/sqlite"
)

// rawSchema has the columns of a match that an act writes or whose bytes it
// writes again, and the index that changes with each act.
const rawSchema = `CREATE TABLE raw (id INTEGER PRIMARY KEY, version INTEGER, told INTEGER, entries INTEGER,
	deadline INTEGER, acted INTEGER, seed TEXT, rules TEXT, deliveries BLOB, acts TEXT, clock TEXT) STRICT;
	CREATE INDEX raw_deadline ON raw (deadline) WHERE deadline IS NOT NULL;`

// rawRow is an act as raw writes it.
type rawRow struct {
	id, version, told, entries, deadline, acted int64
	deliveries                                  []byte
	acts, clock                                 string
	done                                        chan error
}

// naive is what one writes first: database/sql, a transaction an act, one
// connection (more are slower, since they wait for each other's lock).
type naive struct{ db *sql.DB }

func openNaive(b *testing.B, path string, rows int, seed, rules string) *naive {
	b.Helper()
	db, err := sql.Open("sqlite", rawAddress(path)+"&_txlock=immediate")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	rawRows(b, conn, rows, seed, rules)
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	if err := conn.Close(); err != nil {
		b.Fatal(err)
	}
	return &naive{db}
}

func (n *naive) write(row *rawRow) error {
	tx, err := n.db.Begin()
	if err != nil {
		return err
	}
	_, err = tx.Exec(rawUpdate, row.version, row.told, row.entries, row.deadline, row.acted, row.deliveries, row.acts, row.clock, row.id)
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

const rawUpdate = `UPDATE raw SET version = ?, told = ?, entries = ?, deadline = ?, acted = ?, deliveries = ?, acts = ?, clock = ? WHERE id = ?`

func rawAddress(path string) string {
	return "file:" + path + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"
}

func rawRows(b *testing.B, conn *sql.Conn, rows int, seed, rules string) {
	b.Helper()
	if _, err := conn.ExecContext(context.Background(), rawSchema); err != nil {
		b.Fatal(err)
	}
	for i := range rows {
		_, err := conn.ExecContext(context.Background(), `INSERT INTO raw (id, version, told, entries, acted, seed, rules, acts)
			VALUES (?, 1, 0, 0, 0, ?, ?, '')`, i+1, seed, rules)
		if err != nil {
			b.Fatal(err)
		}
	}
}

// raw is the least that a durable group commit of such rows can be: a channel,
// a transaction, one prepared UPDATE a row. It checks nothing and shares no
// code with the store.
type raw struct {
	line    chan *rawRow
	running sync.WaitGroup
	db      *sql.DB
	conn    *sql.Conn
	failed  error
}

func openRaw(b *testing.B, path string, rows int, seed, rules string) *raw {
	b.Helper()
	db, err := sql.Open("sqlite", rawAddress(path))
	if err != nil {
		b.Fatal(err)
	}
	r := &raw{line: make(chan *rawRow, 1024), db: db}
	if r.conn, err = db.Conn(context.Background()); err != nil {
		b.Fatal(err)
	}
	rawRows(b, r.conn, rows, seed, rules)
	r.running.Go(func() {
		r.failed = r.conn.Raw(func(c any) error { return r.loop(c.(driver.Conn)) })
	})
	b.Cleanup(func() {
		close(r.line)
		r.running.Wait()
		if err := errors.Join(r.failed, r.conn.Close(), db.Close()); err != nil {
			b.Error(err)
		}
	})
	return r
}

func (r *raw) loop(c driver.Conn) error {
	var stmts [3]driver.StmtExecContext
	for i, text := range []string{"BEGIN IMMEDIATE", "COMMIT", rawUpdate} {
		s, err := c.Prepare(text)
		if err != nil {
			return err
		}
		defer s.Close()
		stmts[i] = s.(driver.StmtExecContext)
	}
	var batch []*rawRow
	for row := range r.line {
		batch = append(batch[:0], row)
		runtime.Gosched() // lets those write again whom the last commit released
	fill:
		for len(batch) < 256 {
			select {
			case row, ok := <-r.line:
				if !ok {
					break fill
				}
				batch = append(batch, row)
			default:
				break fill
			}
		}
		err := rawCommit(stmts, batch)
		for _, row := range batch {
			row.done <- err
		}
	}
	return nil
}

func rawCommit(stmts [3]driver.StmtExecContext, batch []*rawRow) error {
	ctx := context.Background()
	if _, err := stmts[0].ExecContext(ctx, nil); err != nil {
		return err
	}
	for _, row := range batch {
		_, err := stmts[2].ExecContext(ctx, []driver.NamedValue{
			{Ordinal: 1, Value: row.version}, {Ordinal: 2, Value: row.told}, {Ordinal: 3, Value: row.entries},
			{Ordinal: 4, Value: row.deadline}, {Ordinal: 5, Value: row.acted}, {Ordinal: 6, Value: row.deliveries},
			{Ordinal: 7, Value: row.acts}, {Ordinal: 8, Value: row.clock}, {Ordinal: 9, Value: row.id}})
		if err != nil {
			return err
		}
	}
	_, err := stmts[1].ExecContext(ctx, nil)
	return err
}

func (r *raw) write(row *rawRow) error {
	r.line <- row
	return <-row.done
}
