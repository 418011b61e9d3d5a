package simserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// A LogHeader is the first line of a log.
type LogHeader struct {
	Version string
	Started time.Time // the zero of all offsets, by the wall clock
	Seed    uint64
	Model   string
}

// The JSON of the two kinds of lines. Events are columns; their kinds are the
// letters of a string.
type (
	wireHeader struct {
		Sim     string `json:"arena_sim"`
		Started int64  `json:"started_unix_ns"`
		Seed    uint64 `json:"seed"`
		Model   string `json:"model"`
	}
	wireRecord struct {
		Seq       int       `json:"seq"`
		ID        string    `json:"id"`
		Conn      int       `json:"conn"`
		Use       int       `json:"use"`
		Stream    bool      `json:"stream"`
		Arrived   int64     `json:"arrived_ns"`
		Headers   int64     `json:"headers_ns"`
		Ended     int64     `json:"ended_ns"`
		Prompt    int       `json:"prompt_tokens"`
		Cached    int       `json:"cached_tokens"`
		Tokens    int       `json:"tokens"`
		Preempted int       `json:"preempted"`
		Status    int       `json:"status"`
		Outcome   Outcome   `json:"outcome"`
		Fault     FaultKind `json:"fault"`
		Finish    string    `json:"finish"`
		EventKind string    `json:"event_kinds"`
		EventDue  []int64   `json:"event_due_ns"`
		EventSent []int64   `json:"event_sent_ns"`
		EventTok  []int     `json:"event_tokens"`
	}
)

// logHeader returns the first line of a log.
func logHeader(h LogHeader) []byte {
	return fmt.Appendf(nil, `{"arena_sim":%s,"started_unix_ns":%d,"seed":%d,"model":%s}`+"\n",
		quote(h.Version), h.Started.UnixNano(), h.Seed, quote(h.Model))
}

// appendRecord appends the line of a record. It costs no garbage: the log is
// written while others measure.
func appendRecord(p []byte, r *Record) []byte {
	num := func(name string, n int64) {
		p = append(append(append(p, '"'), name...), `":`...)
		p = append(strconv.AppendInt(p, n, 10), ',')
	}
	text := func(name, value string) {
		p = append(append(append(p, '"'), name...), `":`...)
		p = append(append(p, quote(value)...), ',')
	}
	column := func(name string, value func(e *Event) int64) {
		p = append(append(append(p, '"'), name...), `":[`...)
		for i := range r.Events {
			if i > 0 {
				p = append(p, ',')
			}
			p = strconv.AppendInt(p, value(&r.Events[i]), 10)
		}
		p = append(p, "],"...)
	}
	p = append(p, '{')
	num("seq", int64(r.Seq))
	text("id", r.ID)
	num("conn", int64(r.Conn))
	num("use", int64(r.Use))
	p = append(strconv.AppendBool(append(p, `"stream":`...), r.Stream), ',')
	num("arrived_ns", int64(r.Arrived))
	num("headers_ns", int64(r.Headers))
	num("ended_ns", int64(r.Ended))
	num("prompt_tokens", int64(r.PromptTokens))
	num("cached_tokens", int64(r.CachedTokens))
	num("tokens", int64(r.Tokens))
	num("preempted", int64(r.Preempted))
	num("status", int64(r.Status))
	text("outcome", string(r.Outcome))
	text("fault", string(r.Fault))
	text("finish", r.Finish)
	p = append(p, `"event_kinds":"`...)
	for _, e := range r.Events {
		p = append(p, byte(e.Kind))
	}
	p = append(p, `",`...)
	column("event_due_ns", func(e *Event) int64 { return int64(e.Due) })
	column("event_sent_ns", func(e *Event) int64 { return int64(e.Sent) })
	column("event_tokens", func(e *Event) int64 { return int64(e.Tokens) })
	p[len(p)-1] = '}'
	return append(p, '\n')
}

// ReadLog reads a log. Name is the file's name for messages. A last line without
// its end was cut off by a crash, and is left out.
func ReadLog(name string, r io.Reader) (LogHeader, []Record, error) {
	var header LogHeader
	var records []Record
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && n > 1 {
			return header, records, nil
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("no header")
			}
			return header, nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if n == 1 {
			header, err = readHeader(line)
		} else {
			var record Record
			record, err = readRecord(line)
			records = append(records, record)
		}
		if err != nil {
			return header, nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
}

func readHeader(line []byte) (LogHeader, error) {
	var w wireHeader
	if !bytes.HasPrefix(line, []byte(`{"arena_sim":`)) {
		return LogHeader{}, errors.New("not a log of arena sim")
	}
	err := json.Unmarshal(line, &w)
	return LogHeader{w.Sim, time.Unix(0, w.Started), w.Seed, w.Model}, err
}

func readRecord(line []byte) (Record, error) {
	var w wireRecord
	if err := json.Unmarshal(line, &w, json.RejectUnknownMembers(true)); err != nil {
		return Record{}, err
	}
	n := len(w.EventKind)
	if len(w.EventDue) != n || len(w.EventSent) != n || len(w.EventTok) != n {
		return Record{}, errors.New("the columns of the events differ in length")
	}
	r := Record{
		Seq: w.Seq, ID: w.ID, Conn: w.Conn, Use: w.Use, Stream: w.Stream,
		Arrived: Offset(w.Arrived), Headers: Offset(w.Headers), Ended: Offset(w.Ended),
		PromptTokens: w.Prompt, CachedTokens: w.Cached, Tokens: w.Tokens, Preempted: w.Preempted,
		Status: w.Status, Outcome: w.Outcome, Fault: w.Fault, Finish: w.Finish,
	}
	for i := range n {
		if kind := w.EventKind[i]; kind < 'a' || kind > 'z' {
			return r, fmt.Errorf("event of kind %q", kind)
		}
		r.Events = append(r.Events, Event{Offset(w.EventDue[i]), Offset(w.EventSent[i]), w.EventTok[i], EventKind(w.EventKind[i])})
	}
	return r, nil
}
