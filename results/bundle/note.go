package bundle

// The codes of the notes that importers write. Arguments, in this order, stand
// behind each; names of figures and columns are the source's own.
const (
	NoteTokenizerFallback = "tokenizer_fallback" // tokenizer: used instead of the model's own, so prompt sizes are approximate
	NoteTokenCount        = "token_count_method" // method: how the tool counted generated tokens ("usage", "local_tokenization")
	NoteColumnIgnored     = "column_ignored"     // column, value (when the same in every row): known to the source, not to the importer
	NoteTextDiffers       = "text_differs"       // what, first, second: the source says something that is no measurement twice and differently
	NoteTableLeftOut      = "table_left_out"     // file, line: a table that the metadata did not ask for
	NoteRunInterrupted    = "run_interrupted"    // status: the tool's own word for the end of its run
	NoteRunsIncomplete    = "runs_incomplete"    // done, planned: measured batches
	NoteRowsMissing       = "rows_missing"       // missing: "pp", "tg" or "pp+tg", rows that the tool did not print
	NoteSizeUnknown       = "size_unknown"       // what: "prompt" or "output", a size that no row and no command states
	NoteNotFinite         = "not_finite"         // keys: figures that the source gives as NaN or infinity, read as missing
	NoteTrailingText      = "trailing_text"      // name, text: signs after a number, ignored
	NoteEncodingRepaired  = "encoding_repaired"  // found, read: text that was saved in the wrong encoding
	NoteDecimalComma      = "decimal_comma"      // example: the source writes decimals after a comma
	NoteTimePrecision     = "time_precision"     // stated: a start time given to the day, month or year only
	NoteSecretRemoved     = "secret_removed"     // flag: its value was left out of the command
)
