package hostinfo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.org/arena/results/bundle"
)

// Container reads what Docker, or Podman where there is no Docker, says about the
// container in which a server runs. A container that cannot be inspected is an
// error, whose text may name things of this machine and belongs in no bundle.
func Container(ctx context.Context, sys System, name string) (Service, error) {
	sys = sys.complete()
	if !containerForm.MatchString(name) {
		return Service{}, fmt.Errorf("container: %q is not a name of a container", name)
	}
	tool, out, err := inspect(ctx, sys, name)
	if err != nil {
		return Service{}, fmt.Errorf("container %s: %w", name, err)
	}
	var list []inspected
	if err := json.Unmarshal(out, &list); err != nil {
		return Service{}, fmt.Errorf("container %s: read what %s inspect says: %w", name, tool, err)
	}
	if len(list) != 1 {
		return Service{}, fmt.Errorf("container %s: %s inspect tells of %d containers", name, tool, len(list))
	}
	s := newServiceReader(sys)
	s.container(&list[0])
	s.image(ctx, sys, tool, &list[0])
	return s.finish(), nil
}

var containerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`)

// inspect asks the first tool that is installed.
func inspect(ctx context.Context, sys System, name string) (tool string, out []byte, err error) {
	for _, tool = range []string{"docker", "podman"} {
		out, err = sys.run(ctx, tool, "inspect", "--type", "container", name)
		if !absent(err) {
			break
		}
	}
	switch {
	case absent(err):
		return "", nil, errors.New("neither docker nor podman is installed")
	case errors.Is(err, context.DeadlineExceeded):
		return "", nil, fmt.Errorf("%s did not answer within %v", tool, sys.Timeout)
	case err != nil:
		return "", nil, fmt.Errorf("%s inspect: %w", tool, err)
	}
	return tool, out, nil
}

// inspected is what is read of a container. Nothing else of it is looked at: it
// has addresses, host names, folders and keys.
type inspected struct {
	ID          string `json:"Image"` // of the image
	ImageDigest string // Podman
	ImageName   string // Podman
	Path        string
	Args        []string
	Config      struct {
		Image      string
		Env        []string
		Entrypoint commandLine
		Cmd        commandLine
	}
}

// A commandLine is a list of words, or one text in older versions of Podman.
type commandLine []string

// UnmarshalJSON implements [json.Unmarshaler].
func (w *commandLine) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*w = strings.Fields(text)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(w))
}

func (s *serviceReader) container(c *inspected) {
	argv := append([]string{c.Path}, c.Args...)
	if c.Path == "" {
		argv = slices.Concat(c.Config.Entrypoint, c.Config.Cmd)
	}
	s.out.Server.Name = serverOf(cmp.Or(c.ImageName, c.Config.Image)) // unless the arguments say
	s.arguments(argv)
	s.environment(c.Config.Env)
}

// image keeps what the image is called and the digest that pins it: the one by
// which a registry knows it, else the id of the image on this machine.
func (s *serviceReader) image(ctx context.Context, sys System, tool string, c *inspected) {
	ref := cmp.Or(c.ImageName, c.Config.Image)
	if name, digest, ok := strings.Cut(ref, "@"); ok && digestForm.MatchString(digest) {
		ref, s.out.Server.ImageDigest = name, digest
	}
	s.out.Server.Image = s.reference(ref)
	if s.out.Server.ImageDigest != "" {
		return
	}
	id := "sha256:" + strings.TrimPrefix(c.ID, "sha256:")
	if !digestForm.MatchString(id) {
		return
	}
	s.out.Server.ImageDigest = registryDigest(ctx, sys, tool, id, ref)
	if s.out.Server.ImageDigest == "" && digestForm.MatchString(c.ImageDigest) {
		s.out.Server.ImageDigest = c.ImageDigest
	}
	if s.out.Server.ImageDigest == "" {
		s.out.Server.ImageDigest = id
		s.out.Notes = append(s.out.Notes, bundle.NewNote(NoteImageID))
	}
}

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// registryDigest asks by what digest a registry knows an image. An image that was
// pulled under several names has several, which may differ: that of its own name
// counts.
func registryDigest(ctx context.Context, sys System, tool, id, ref string) string {
	out, err := sys.run(ctx, tool, "image", "inspect", id)
	if err != nil {
		return ""
	}
	var images []struct{ RepoDigests []string }
	if json.Unmarshal(out, &images) != nil || len(images) != 1 {
		return ""
	}
	var all []string
	for _, known := range images[0].RepoDigests {
		name, digest, _ := strings.Cut(known, "@")
		if !digestForm.MatchString(digest) {
			continue
		}
		if shortRepository(name) == shortRepository(ref) {
			return digest
		}
		all = append(all, digest)
	}
	return onlyValue(all)
}

// shortRepository returns the name of an image without tag and without what Docker
// adds to it.
func shortRepository(ref string) string {
	if i := strings.LastIndexByte(ref, ':'); i > strings.LastIndexByte(ref, '/') {
		ref = ref[:i]
	}
	return strings.TrimPrefix(strings.TrimPrefix(ref, "docker.io/"), "library/")
}

// publicRegistries are those whose name is kept in a reference.
var publicRegistries = []string{
	"docker.io", "ghcr.io", "nvcr.io", "quay.io", "gcr.io", "public.ecr.aws", "mcr.microsoft.com", "registry.gitlab.com",
	"registry.access.redhat.com", "registry.redhat.io", "icr.io", "registry.hf.space",
}

var referenceForm = regexp.MustCompile(`^[a-z0-9][A-Za-z0-9_./:+-]{0,199}$`)

// reference returns the name of an image as it can be published: of a registry
// that is not everybody's, only that there is one.
func (s *serviceReader) reference(ref string) string {
	host, rest, ok := strings.Cut(ref, "/")
	switch {
	case !ok || !strings.ContainsAny(host, ".:") && host != "localhost":
		host, rest = "", ref
	case slices.Contains(publicRegistries, host):
		host += "/"
	default:
		host = "host/"
	}
	switch {
	case ref == "":
		return ""
	case !referenceForm.MatchString(host + rest), s.cleaner.private.text(commitTag.ReplaceAllString(rest, "")):
		return s.cleaner.remove("image")
	}
	return host + rest
}

// commitTag finds the revision in the tag of an image that was built from it.
var commitTag = regexp.MustCompile(`[:-][0-9a-f]{40}$`)

// serverOf returns the server that an image is made for, by its name.
func serverOf(ref string) string {
	ref = strings.ToLower(ref)
	for _, p := range []struct{ word, server string }{
		{"vllm", "vllm"}, {"sglang", "sglang"}, {"llama.cpp", "llama.cpp"}, {"llama-cpp", "llama.cpp"}, {"ollama", "ollama"}, {"tensorrt-llm", "tensorrt-llm"},
	} {
		if strings.Contains(ref, p.word) {
			return p.server
		}
	}
	return ""
}
