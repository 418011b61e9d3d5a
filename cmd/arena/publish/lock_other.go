//go:build !unix || solaris || illumos || aix

package publish

// hold does nothing where folders cannot be locked.
func hold(string) (release func()) { return func() {} }

// seize seizes nothing there: that a folder is abandoned cannot be proved.
func seize(string) (release func(), ok bool) { return func() {}, false }
