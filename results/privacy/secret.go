package privacy

import (
	"regexp"
	"slices"
	"strings"
)

// secretFlags are flags whose value is a secret.
var secretFlags = regexp.MustCompile(`(?i)^--?[a-z-]*(?:api[-_]?key|token|password|secret|auth(?:orization)?)$`)

// namesSecret matches a part of a name between underscores.
var namesSecret = regexp.MustCompile(`(?i)(?:^|_)(?:token|key|secret|password|passwd|auth|credentials?)(?:$|_)`)

// SecretFlag reports whether what follows a flag is a secret.
func SecretFlag(flag string) bool { return secretFlags.MatchString(flag) || isHeader(flag) }

// SecretName reports whether the name of an environment variable or a setting
// says that its value is a secret.
func SecretName(name string) bool { return namesSecret.MatchString(name) }

// isHeader reports whether a flag sends a header: it may carry a key.
func isHeader(flag string) bool {
	return flag == "--header" || flag == "--extra-headers"
}

// allowedEnv are the beginnings of names of environment variables that say how a
// server computes, and nothing about who runs it where.
var allowedEnv = []string{"VLLM_", "SGLANG_", "TIKTOKEN_", "FLASHINFER_", "NCCL_", "CUDA_", "TORCH_", "PYTORCH_", "TRITON_", "OMP_", "GGML_", "LLAMA_"}

// PublicVariable reports whether a variable of a server's environment may be
// published by its name: it says how the server computes, and not who runs it.
// Its value is to be looked at still.
func PublicVariable(name string) bool {
	return !SecretName(name) && slices.ContainsFunc(allowedEnv, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
