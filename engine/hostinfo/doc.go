// Package hostinfo finds out what a bundle says about the machine and the server:
// the GPU, its driver and what it did during a run, the operating system, the
// server's container, arguments and counters.
//
// It keeps what is on a list of allowed things, and nothing else: versions of the
// form that versions have, flags with plain values, variables with known names. A
// host name, a user, a path, a key or an address never passes. What is not known
// stays empty and is said by a note; it is never zero and never guessed.
//
// Units are those of the bundle's fields: bytes, watts, degrees Celsius, megahertz,
// percent, megabytes of a million bytes, millijoules.
package hostinfo
