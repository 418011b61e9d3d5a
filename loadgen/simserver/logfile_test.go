package simserver

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func sprint(v any) string { return fmt.Sprint(v) }

func TestLogFile(t *testing.T) {
	t.Parallel()
	header := LogHeader{Version: `v1 "x"`, Started: time.Unix(1_790_000_000, 123456789), Seed: 1<<64 - 1, Model: "arena-sim/a"}
	records := []Record{
		{Seq: 0, ID: "bench-1é\"", Conn: 3, Use: 2, Stream: true, Arrived: 1, Headers: Never, Ended: 5 * time.Second, PromptTokens: 7, CachedTokens: 2, Tokens: 3, Preempted: 1, Status: 200, Outcome: Complete, Finish: "stop", Events: []Event{{1, 2, 0, EventRole}, {3, 4, 3, EventContent}, {5, Never, 0, EventEnd}}},
		{Seq: 1, Headers: 4, Ended: Never, Status: 400, Outcome: Refused, Fault: FaultStall},
	}
	text := logHeader(header)
	for i := range records {
		text = appendRecord(text, &records[i])
	}
	cut := append(bytes.Clone(text), `{"seq":2,"id`...)
	gotHeader, got, err := ReadLog("a.jsonl", bytes.NewReader(cut))
	if err != nil || !gotHeader.Started.Equal(header.Started) {
		t.Fatalf("%+v, %v", gotHeader, err)
	}
	gotHeader.Started = header.Started
	if gotHeader != header || !reflect.DeepEqual(got, records) {
		t.Errorf("got %+v\n%+v\nwant %+v\n%+v", gotHeader, got, header, records)
	}
	for text, want := range map[string]string{
		"":                                  "a.jsonl:1: no header",
		"{}":                                "a.jsonl:1: no header",
		"{}\n":                              "a.jsonl:1: not a log of arena sim",
		"hello\n":                           "a.jsonl:1: not a log of arena sim",
		string(logHeader(header)) + "{}x\n": "a.jsonl:2: ",
		string(logHeader(header)) + `{"colour":1}` + "\n":         "a.jsonl:2: ",
		string(logHeader(header)) + `{"event_kinds":"ab"}` + "\n": "a.jsonl:2: the columns of the events differ in length",
	} {
		if _, _, err := ReadLog("a.jsonl", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// The file of a server holds what Log returns.
func TestLogTo(t *testing.T) {
	var file bytes.Buffer
	config := with(t, "tokens=2")
	config.LogTo = &file
	config.LogKeep = 3
	inFakeTime(t, config, func(b *bench) {
		for range 10 {
			b.answer("", hello)
		}
		b.newest()
		b.client.CloseIdleConnections()
		if err := b.server.Close(); err != nil {
			b.t.Fatal(err)
		}
		header, records, err := ReadLog("log", &file)
		if err != nil || len(records) != 10 || header.Model != "arena-sim/fixed" || !header.Started.Equal(b.server.origin) {
			b.t.Fatalf("%+v, %d records, %v", header, len(records), err)
		}
		kept := b.server.Log()
		if len(kept) != 3 {
			b.t.Fatalf("%d records kept, want 3", len(kept))
		}
		for i, r := range kept {
			if !reflect.DeepEqual(*r, records[7+i]) {
				b.t.Errorf("kept %+v, written %+v", *r, records[7+i])
			}
		}
	})
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A log that cannot be written does not stop the server, but its end says so.
func TestLogBroken(t *testing.T) {
	t.Parallel()
	config := with(t, "tokens=2, ttft_ms=0, itl_ms=0")
	config.LogTo = brokenWriter{}
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c, err := s.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, httpRequest("", hello))
		readUntil(t, c, "0\r\n\r\n")
		c.Close()
	}
	if err := s.Close(); err == nil || err.Error() != "disk full" {
		t.Errorf("closed with %v", err)
	}
}

// FuzzReadLog: what can be read is written again as it was.
func FuzzReadLog(f *testing.F) {
	text := logHeader(LogHeader{Version: "v", Started: time.Unix(1, 2), Model: "arena-sim/x"})
	f.Add(appendRecord(text, &Record{Seq: 1, Events: []Event{{1, 2, 3, EventTool}}}))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		header, records, err := ReadLog("x", bytes.NewReader(data))
		if err != nil {
			return
		}
		text := logHeader(header)
		for i := range records {
			text = appendRecord(text, &records[i])
		}
		header2, records2, err := ReadLog("x", bytes.NewReader(text))
		if err != nil || !header2.Started.Equal(header.Started) || !reflect.DeepEqual(records, records2) {
			t.Errorf("%q became %q, %v", data, text, err)
		}
	})
}
