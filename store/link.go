package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"modernc.org/sqlite"
)

// link is one connection with the statements prepared on it. It stands below
// database/sql, whose pool and conversions cost as much as the statements
// themselves. It belongs to one goroutine at a time.
type link struct {
	conn  driver.Conn
	stmts map[string]driver.Stmt
}

// address is the DSN of a file. Every connection gets its settings from here,
// so none can be without them.
func address(path, mode string, wait time.Duration, extra url.Values) string {
	query := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds())}, // first, for what the others wait for
	}
	if mode == writing {
		query["_pragma"] = append(query["_pragma"], "journal_mode(WAL)") // the file keeps it for all others
	}
	if mode != probing {
		query["_pragma"] = append(query["_pragma"], "synchronous(FULL)", "foreign_keys(ON)", "journal_size_limit(16777216)")
	}
	if mode == reading {
		query["_pragma"] = append(query["_pragma"], "query_only(ON)")
		query.Set("mode", "rw") // no file is made
	}
	for key, values := range extra {
		query[key] = values
	}
	file := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: query.Encode()}
	return file.String()
}

// What a connection is for. Probing changes nothing, not even the journal mode.
const (
	probing = "probe"
	writing = "write"
	reading = "read"
)

// connect opens one connection.
func connect(ctx context.Context, dsn string) (*link, error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &link{conn: conn, stmts: map[string]driver.Stmt{}}, nil
}

// close gives up the statements and the connection.
func (l *link) close() error {
	var errs []error
	for _, s := range l.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, l.conn.Close())...)
}

// stmt returns the prepared statement of a constant query.
func (l *link) stmt(query string) (driver.Stmt, error) {
	if s, ok := l.stmts[query]; ok {
		return s, nil
	}
	s, err := l.conn.Prepare(query)
	if err != nil {
		return nil, err
	}
	l.stmts[query] = s
	return s, nil
}

// args puts values in the order of a statement's question marks.
func args(values ...driver.Value) []driver.NamedValue {
	named := make([]driver.NamedValue, len(values))
	for i, v := range values {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return named
}

// exec runs a statement and returns how many rows it changed.
// Statements get no context: a watcher of each would cost more than most of
// them take. Whoever waits, waits outside.
func (l *link) exec(query string, args []driver.NamedValue) (int64, error) {
	r, err := l.result(query, args)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// insert runs a statement and returns the number of the row that it made.
func (l *link) insert(query string, values ...driver.Value) (int64, error) {
	r, err := l.result(query, args(values...))
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// run runs a statement of which nothing but success matters.
func (l *link) run(query string, values ...driver.Value) error {
	_, err := l.result(query, args(values...))
	return err
}

func (l *link) result(query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := l.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.(driver.StmtExecContext).ExecContext(context.Background(), args)
}

// query hands the rows of a statement to row, one after the other. While row
// runs, further queries on this link see the same state of the file.
func (l *link) query(query string, args []driver.NamedValue, row func([]driver.Value) error) (err error) {
	s, err := l.stmt(query)
	if err != nil {
		return err
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(context.Background(), args)
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	values := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := row(values); err != nil {
			return err
		}
	}
}

// first returns the first row of a query, nil if there is none.
func (l *link) first(query string, values ...driver.Value) (row []driver.Value, err error) {
	err = l.query(query, args(values...), func(values []driver.Value) error {
		if row == nil {
			row = append(row, values...)
		}
		return nil
	})
	return row, err
}

// number returns the first column of the first row, 0 if there is none.
func (l *link) number(query string, values ...driver.Value) (int64, error) {
	row, err := l.first(query, values...)
	if err != nil || row == nil {
		return 0, err
	}
	return integer(row[0]), nil
}

// script runs several statements, unprepared.
func (l *link) script(text string) error {
	_, err := l.conn.(driver.ExecerContext).ExecContext(context.Background(), text, nil)
	return err
}

// transaction runs f between BEGIN IMMEDIATE and COMMIT: a transaction that
// began by reading can't write once another process has. Its error wraps
// engine.ErrNotWritten unless the transaction may have landed nevertheless.
func (l *link) transaction(f func() error) error {
	if err := l.run("BEGIN IMMEDIATE"); err != nil {
		return notWritten(err)
	}
	err := f()
	if err != nil {
		err = notWritten(err)
	} else if err = l.run("COMMIT"); err == nil {
		return nil
	} else if refused(err) {
		err = notWritten(err)
	}
	_ = l.run("ROLLBACK") // fails where SQLite has rolled back itself
	return err
}

// whole runs f, inside a transaction, so that all of it happens or nothing.
func (l *link) whole(f func() error) error {
	if err := l.run("SAVEPOINT whole"); err != nil {
		return err
	}
	if err := f(); err != nil {
		if e := l.undo(); e != nil && lonely(err) {
			return e // it isn't undone, so it concerns the others too
		}
		return err
	}
	return l.run("RELEASE whole")
}

func (l *link) undo() error {
	if err := l.run("ROLLBACK TO whole"); err != nil {
		return err
	}
	return l.run("RELEASE whole")
}

func integer(v driver.Value) int64 { n, _ := v.(int64); return n }
func text(v driver.Value) string   { s, _ := v.(string); return s }
func blob(v driver.Value) []byte   { b, _ := v.([]byte); return b }
