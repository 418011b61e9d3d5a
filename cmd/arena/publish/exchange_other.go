//go:build !linux

package publish

import "errors"

// exchange is not possible in one step here.
func exchange(string, string) error { return errors.ErrUnsupported }
