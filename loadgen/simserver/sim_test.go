package simserver

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestSmoke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Default())
		if err != nil {
			t.Fatal(err)
		}
		tr := &http.Transport{DialContext: s.Dial}
		c := http.Client{Transport: tr}
		t0 := time.Now()
		r, err := c.Post("http://sim/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"hello there"}],"stream":true,"max_tokens":4,"stream_options":{"include_usage":true}}`))
		if err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(r.Body)
		for sc.Scan() {
			fmt.Println(time.Since(t0), sc.Text())
		}
		r, err = c.Get("http://sim/metrics")
		b, _ := io.ReadAll(r.Body)
		fmt.Println(string(b[:500]), err)
		tr.CloseIdleConnections()
		s.Close()
		for _, r := range s.Log() {
			fmt.Printf("%+v\n", *r)
		}
	})
}
