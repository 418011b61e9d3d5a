// Package format writes what the site knows in the words, digits and units of one
// language: values with their spread, findings of the audit, notes of importers
// and engine, dates, names of tests and points, lists of facts, axes of charts.
//
// Each function takes the language's printer first and gives text, or a part of a
// page made of text. None decides anything: whether a value is known, counts or
// ranks stands in its arguments. No function knows a route or makes a page.
//
// Times are in milliseconds and ratios between 0 and 1 unless the unit of a value
// says otherwise.
package format
