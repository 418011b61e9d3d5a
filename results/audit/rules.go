package audit

// Rules lists every rule, in the order in which findings about one place appear.
var Rules = []Rule{}
