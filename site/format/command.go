package format

import (
	"example.org/arena/i18n"
	"example.org/arena/results/contract"
	"example.org/arena/site/render"
)

// ServerCommand shows the arguments that a server was started with, as recorded; nil
// when none were.
func ServerCommand(p *i18n.Printer, argv []string) *render.Command {
	if len(argv) == 0 {
		return nil
	}
	return &render.Command{
		ID:   "server-command",
		Kind: p.T("model.command.recorded"),
		Note: p.T("model.command.server"),
		Text: Shell(argv),
	}
}

// Shell writes an argv as a command line that can be pasted.
func Shell(argv []string) string {
	return contract.Command{Argv: argv}.Shell()
}
