package bundle

// A Note is something the importer or engine noticed, as data: a code and the
// values that belong to it. Its words come from the language catalogs.
type Note struct {
	Code string    `json:"code"`           // lower-case words joined by underscores
	Args []Setting `json:"args,omitempty"` // the values that the words name
}

// NewNote makes a note of a code and of names and values in turn.
func NewNote(code string, pairs ...string) Note {
	n := Note{Code: code}
	for i := 0; i+1 < len(pairs); i += 2 {
		n.Args = append(n.Args, Setting{Name: pairs[i], Value: pairs[i+1]})
	}
	return n
}

// The codes of the notes that importers write. Arguments, in this order, stand
// behind each; names of figures and columns are the source's own.
const (
	NoteTokenizerFallback  = "tokenizer_fallback"          // tokenizer: used instead of the model's own, so prompt sizes are approximate
	NoteTokenCount         = "token_count_method"          // method: how the tool counted generated tokens ("usage", "local_tokenization")
	NoteColumnIgnored      = "column_ignored"              // column, value (when the same in every row): known to the source, not to the importer
	NoteTextDiffers        = "text_differs"                // what, first, second: the source says something that is no measurement twice and differently
	NoteTableLeftOut       = "table_left_out"              // file, line: a table that the metadata did not ask for
	NoteRunInterrupted     = "run_interrupted"             // status: the tool's own word for the end of its run
	NoteRunsIncomplete     = "runs_incomplete"             // done, planned: measured batches
	NoteRowsMissing        = "rows_missing"                // missing: "pp", "tg" or "pp+tg", rows that the tool did not print
	NoteSizeUnknown        = "size_unknown"                // what: "prompt" or "output", a size that no row and no command states
	NoteNotFinite          = "not_finite"                  // keys: figures that the source gives as NaN or infinity, read as missing
	NoteTrailingText       = "trailing_text"               // name, text: signs after a number, ignored
	NoteEncodingRepaired   = "encoding_repaired"           // found, read: text that was saved in the wrong encoding
	NoteDecimalComma       = "decimal_comma"               // example: the source writes decimals after a comma
	NoteTimePrecision      = "time_precision"              // stated: a start time given to the day, month or year only
	NoteSecretRemoved      = "secret_removed"              // flag: its value was left out of the command
	NoteAllFailed          = "all_requests_failed"         // not one request succeeded: the zeros of the source are no measurements
	NoteAttempt            = "attempt"                     // status: an attempt that led to no figures, in the source's word
	NoteBlockNotClosed     = "block_not_closed"            // the printed block has no last line
	NoteClientZone         = "client_zone_proven"          // offset, tests: time zone of the client, proven by the times of these tests
	NoteDateOfFile         = "date_differs_from_file_name" // file_name, content: days, YYYYMMDD; the content counts
	NoteEnvWithheld        = "environment_withheld"        // names: environment variables that are not on the list of allowed ones
	NoteFailuresUnknown    = "failures_not_reported"       // planned, completed, missing: requests; the source counts no failures
	NoteFilesNotRead       = "files_not_read"              // files: of a folder, unknown to the importer
	NoteKeysLeftOut        = "keys_left_out"               // keys: whose values are texts or objects without a place in a bundle
	NoteListsLeftOut       = "lists_left_out"              // keys: lists per request, each with its length
	NoteSharedMemory       = "memory_is_shared"            // CPU and GPU share their memory: memory in use is that of the whole machine
	NoteMetaOtherTime      = "meta_of_another_time"        // generated_at, first_test: times, RFC 3339
	NoteModelNotID         = "model_not_an_id"             // the source names the model otherwise than by its id
	NoteOtherValues        = "other_values"                // names and values of numbers that have no place of their own
	NotePrintedBlock       = "printed_block"               // figures from the printed block, rounded to two decimals
	NoteRateFromTrace      = "rate_from_trace"             // arrivals follow a recorded trace
	NoteRatesNotInSummary  = "rates_not_in_summary"        // results: number of results at rates that the source's summary lacks
	NoteRatesOnlyInSummary = "rates_only_in_summary"       // rates: that have no result of their own
	NoteRequestsDoNotAddUp = "requests_do_not_add_up"      // planned, completed, failed: requests
	NoteResultsLeftOut     = "results_left_out"            // results: file and position of results that the metadata did not ask for
	NoteSeveralCommands    = "several_commands"            // the test was measured with more than one command
	NoteSeveralSessions    = "several_sessions"            // start of each session, and its tests
	NoteStartComputed      = "start_from_end_and_duration" // the start is the end minus the duration
	NoteColumnsLeftOut     = "telemetry_columns_left_out"  // columns: of telemetry, unknown to the importer
	NoteTelemetryOnly      = "telemetry_without_test"      // test: number of a test of which only telemetry is there
)
