package engine

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.org/arena/loadgen"
	"example.org/arena/loadgen/openai"
	"example.org/arena/loadgen/simserver"
	"example.org/arena/results/bundle"
)

// TestCalibrate: in fake time the load generator sees what the server did, and a
// server that notes something else is found out.
func TestCalibrate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(list []simserver.Record) []simserver.Record
		want bundle.Calibration
		says string
	}{
		"exact":       {func(l []simserver.Record) []simserver.Record { return l }, bundle.Calibration{Streams: 3, Requests: 6}, ""},
		"fewer noted": {func(l []simserver.Record) []simserver.Record { return l[1:] }, bundle.Calibration{}, "noted 5 answers, and 6 were sent"},
		"earlier": {func(l []simserver.Record) []simserver.Record {
			for i := range l {
				l[i].Arrived -= 6 * time.Millisecond // as if requests had been on their way for so long
			}
			return l
		}, bundle.Calibration{Streams: 3, Requests: 6, TTFTErrorUS: -6000}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				config := simserver.Default()
				config.Request.TTFT, config.Request.ITL = CalibrationTTFT, CalibrationITL
				server, err := simserver.New(config)
				if err != nil {
					t.Fatal(err)
				}
				s := Simulated{
					Client: openai.Options{BaseURL: "http://sim", DialContext: server.Dial},
					Pacer:  loadgen.Timers{},
					KeepGC: true,
					End: func() ([]simserver.Record, error) {
						err := server.Close()
						var list []simserver.Record
						for _, r := range server.Log() {
							list = append(list, *r)
						}
						return c.edit(list), err
					},
				}
				got, err := s.Calibrate(t.Context(), 3)
				if c.says != "" {
					if err == nil || !strings.Contains(err.Error(), c.says) {
						t.Errorf("got %v", err)
					}
					return
				}
				if err != nil || got != c.want {
					t.Errorf("got %+v, %v, want %+v", got, err, c.want)
				}
			})
		})
	}
}
