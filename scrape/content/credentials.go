package content

import (
	"path"
	"slices"
	"strings"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/scrape/openat"
	"patina/store/text"
)

// Credentials are left out of the index, because every reader of the index would read them too,
// agents first of all. A file has credentials if its name says so, in which case it is not opened,
// or if its text contains a private key. Limits.Secrets includes them. Tokens in other text stay;
// package secrets finds them.
const (
	Credentials = "credentials"
	PrivateKey  = "private key"
)

// secretMark is appended to the hash of a credential that was read. A later scrape must look at
// such a file again, because it is removed unless Limits.Secrets is still set.
const secretMark = "!"

// Limits say which files are read.
type Limits struct {
	MaxSize int64 // bytes
	Secrets bool  // read credentials too
}

// Read reads a file below at. size must be the size from the listing. It returns a Skip if the file
// is left out, also if the file is unreadable.
func Read(at *openat.Folder, name string, size int64, l Limits) (File, error) {
	named := isCredential(name)
	if named && !l.Secrets {
		return File{}, Skip{Credentials}
	}
	c, err := readFile(at, name, size, l.MaxSize)
	if err != nil || !named && !holdsPrivateKey(name, c.Text) {
		return c, err
	}
	if !l.Secrets {
		return File{}, Skip{PrivateKey}
	}
	c.Hash += secretMark
	return c, nil
}

// IsSecret reports whether a hash of the store is that of a credential.
func IsSecret(hash string) bool {
	return strings.HasPrefix(strings.TrimLeft(hash, "0123456789abcdef"), secretMark)
}

// credentialFiles are the files in which tools keep passwords and tokens, by base name or by the
// last two parts of their path.
var credentialFiles = text.Set(`
	.netrc _netrc .npmrc .pypirc .git-credentials .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd .htdigest
	.dockercfg .dockerconfigjson .docker/config.json .vault-token .s3cfg .boto .passwd-s3fs .terraformrc
	.terraform.d/credentials.tfrc.json .gem/credentials .cargo/credentials .cargo/credentials.toml
	.m2/settings.xml .streamlit/secrets.toml gh/hosts.yml .config/hub .ftpconfig sftp-config.json
	credentials credentials.json kubeconfig`)

// credentialFolders are folders from which no file is read.
var credentialFolders = text.Set(`.aws .kube gcloud`)

// credentialEnds are the extensions of keys, and of files of state that contain secrets.
var credentialEnds = text.Set(`.pem .key .ppk .p8 .kdbx .env .tfstate .kubeconfig`)

// templateWords mark a file that lists the needed secrets without their values: .env.example.
var templateWords = text.Set(`example examples sample template templates tmpl tpl dist default defaults schema skeleton
	erb ejs hbs j2 jinja jinja2 mustache`)

var (
	dotEnv = lazyregexp.New(`^\.env(rc)?([^a-z]|$)`)
	// The keys of ssh, as ssh-keygen names them and as people vary it: id_rsa, id_ed25519_work.
	sshKey = lazyregexp.New(`^id_(rsa|dsa|ecdsa|ed25519|xmss)([^a-z]|$)|^id_[a-z0-9_-]+$`)
	// id_ID is Indonesian, as spoken in Indonesia.
	locale       = lazyregexp.New(`^id_[A-Z]{2}$`)
	kubeconfig   = lazyregexp.New(`^([^.]*[-_.])?kubeconfig([-_.][^.]*)?(\.(ya?ml|json|conf))?$`)
	clientSecret = lazyregexp.New(`^client_secret.*\.json$`)
	// Usual names of files with passwords and keys: .aws-credentials, gcp_credentials.json,
	// db.creds. A YAML file without a leading dot is not among them, because as often as not it
	// describes where credentials are.
	credentialName = lazyregexp.New(`^\..*(credentials?|creds)` +
		`(\.(json|csv|ini|cfg|conf|txt|ya?ml|toml|properties))?$|` +
		`^(.*[-_. ])?(credentials?|creds)(\.(json|csv|ini|cfg|conf|txt))?$|` +
		`^(.*[-_.])?(service[-_]?account([-_]?key)?\.json|rootkeys?\.csv|accesskeys?\.csv)$`)
	tfState = lazyregexp.New(`\.tfstate\.[a-z0-9.]*backup$`)
)

// isCredential reports whether a file has credentials, by its name. A public key, a template
// without values and a source file (id_map.go) have no credentials.
func isCredential(name string) bool {
	parts := strings.Split(name, "/")
	base := withoutBackup(strings.ToLower(parts[len(parts)-1]))
	folders := parts[:len(parts)-1]
	for i, f := range folders {
		if credentialFolders.Has(strings.ToLower(f)) && (f != "gcloud" || i > 0 && folders[i-1] == ".config") {
			return true
		}
	}
	above := ""
	if len(folders) > 0 {
		above = strings.ToLower(folders[len(folders)-1]) + "/"
	}
	switch {
	case credentialFiles.Has(base), credentialFiles.Has(above + base):
		return true
	case dotEnv().MatchString(base), path.Ext(base) == ".env":
		return !isTemplate(base) && base != "go.env" // the defaults of a Go toolchain
	case credentialEnds.Has(path.Ext(base)), tfState().MatchString(base), clientSecret().MatchString(base):
		return true
	case lang.Of(base, nil).Code, isDocument(base, nil), path.Ext(base) == ".pub":
		return false
	}
	return credentialName().MatchString(base) && !isTemplate(base) ||
		kubeconfig().MatchString(base) && !isTemplate(base) || sshKey().MatchString(base) &&
		!locale().MatchString(parts[len(parts)-1])
}

// withoutBackup removes the endings of backup copies from a name.
func withoutBackup(base string) string {
	for {
		cut := strings.TrimSuffix(base, "~")
		if end := path.Ext(cut); slices.Contains([]string{".bak", ".old", ".orig", ".save", ".swp"}, end) {
			cut = strings.TrimSuffix(cut, end)
		}
		if cut == base || cut == "" {
			return base
		}
		base = cut
	}
}

// isTemplate reports whether a part of a name says that values are missing: .env.example,
// sample.env.
func isTemplate(base string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(base, func(r rune) bool { return r == '.' || r == '-' || r == '_' }),
		func(part string) bool { return templateWords.Has(part) })
}
