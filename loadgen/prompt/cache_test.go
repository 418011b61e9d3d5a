package prompt

import (
	"bytes"
	"testing"
)

// Whatever a cache file holds, it is refused or written again as it was read.
func FuzzDecodeCache(f *testing.F) {
	f.Add([]byte(`{"model":"m","fits":[{"key":"code/1/2048/task","cut":8123,"tail":" a"},{"key":"data/1/9/bare","cut":0}]}`))
	f.Add([]byte(`{"model":"m","fits":[{"key":"k","cut":-1}]}`))
	f.Add([]byte(`{"model":"n"}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := DecodeCache(data, "m")
		if err != nil {
			return
		}
		once, err := c.Encode("m")
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeCache(once, "m")
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice, err := again.Encode("m"); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s\nbecame\n%s, %v", once, twice, err)
		}
	})
}
