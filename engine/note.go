package engine

// The codes of the notes that a run adds to its bundle. Arguments, in this order,
// stand behind each.
const (
	NoteNoShareGPT     = "no_sharegpt_file"  // test: it was left out, since its prompts come from a file that was not given
	NoteNoUsage        = "no_usage"          // the server does not say how many tokens answers have: chunks are counted
	NoteLengthNotFixed = "length_not_fixed"  // the server fixes no lengths of answers
	NoteNoAnswer       = "no_visible_answer" // tokens: the model gave no visible answer to a simple question within so many
	NoteOddAnswer      = "odd_answer"        // the model's answer to a simple question is not the expected one
	NoteDirtyEngine    = "dirty_engine"      // the program was built from changed files
	NoteCommandDiffers = "command_differs"   // parameter, contract, recorded: a parameter of one of a test's several commands is not the contract's
	NoteFigureLeftOut  = "figure_left_out"   // figure: a tool's formula gave a number that nothing can have
)
