package bundle

// The codes of faults that this package finds.
const (
	CodeTooLarge     = "too_large"     // more than MaxBytes
	CodeSyntax       = "syntax"        // not JSON as RFC 8259 and RFC 7493 have it
	CodeDuplicateKey = "duplicate_key" // a key stands twice in an object
	CodeUnknownKey   = "unknown_key"   // a key that the format does not have
	CodeFormat       = "format"        // a format version that this program does not know
	CodeType         = "type"          // a value of the wrong JSON type, or out of range
	CodeNotCanonical = "not_canonical" // other bytes than Encode writes
	CodeRequired     = "required"      // a field that this kind of bundle needs is missing
	CodeValue        = "value"         // a value that does not make sense
	CodePath         = "path"          // a file that does not lie where its content says
)
