package hostinfo

// The codes of the notes that this package writes. Arguments, in this order, stand
// behind each.
const (
	NoteGPUToolMissing     = "gpu_tool_missing"          // tool: the program that tells of the GPU is not installed
	NoteGPUToolSilent      = "gpu_tool_silent"           // tool, limit_s: it did not answer in time
	NoteGPUToolFailed      = "gpu_tool_failed"           // tool: it ended with an error, or with something that is no answer
	NoteGPUNotFound        = "gpu_not_found"             // tool: it says that there is no GPU
	NoteGPUsDiffer         = "gpus_differ"               // gpus: their models
	NoteHostUnknown        = "host_facts_unknown"        // facts: keys of the bundle's host that nothing tells
	NoteHostWithheld       = "host_facts_withheld"       // facts: keys of the bundle's host whose text is not of the form that is expected
	NoteImageID            = "image_digest_is_id"        // the image came from no registry: its digest is the id of the local image
	NoteArgumentsWithheld  = "arguments_withheld"        // flags: of the server, whose values may tell who runs it where
	NoteDraftMethodUnknown = "draft_method_not_stated"   // the arguments name a draft model, but no method
	NoteServerRestarted    = "server_restarted"          // the server was started anew between two looks at its counters
	NoteCountersUnusable   = "server_counters_unusable"  // counters: went backwards, vanished, or are no number
	NoteTelemetryMissing   = "telemetry_unavailable"     // not one sample of the GPU
	NoteTelemetryGap       = "telemetry_gap"             // missing_s, of_s: time without samples
	NoteReasonsUnknown     = "throttle_reasons_unknown"  // the GPU does not tell why its clock is what it is
	NoteSlowedByHeat       = "gpu_slowed_by_heat"        // samples, of, clock_mhz (lowest then)
	NoteSlowedByBrake      = "gpu_slowed_by_power_brake" // samples, of, clock_mhz
	NoteSlowedByHardware   = "gpu_slowed_by_hardware"    // samples, of, clock_mhz
	NotePowerCapped        = "gpu_power_capped"          // samples, of, clock_mhz
	NoteClockCapped        = "gpu_clock_capped"          // clock_mhz (highest seen), limit_mhz (highest that the GPU can; when known)
	NoteClockStepped       = "wall_clock_stepped"        // seconds: by which the clock on the wall left the steady one, forward is positive
	NoteClockWrong         = "wall_clock_before_program" // now, earliest: times; the clock shows a time before the program was built
)
