package ingest

// Removed stands in a text where something private stood.
const Removed = removed

// SecretFlag reports whether what follows a flag is a secret.
func SecretFlag(flag string) bool { return secretFlags.MatchString(flag) || isHeader(flag) }

// PublicVariable reports whether a variable of a server's environment may be
// published by its name: it says how the server computes, and not who runs it.
// Its value is to be looked at still.
func PublicVariable(name string) bool { return envAllowed(name) }
