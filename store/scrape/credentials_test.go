package scrape

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"patina/store"
)

func TestCredentialsByName(t *testing.T) {
	for _, name := range strings.Fields(`
		.env .ENV .env.local .env.production .env_prod .env~ .env.bak .envrc prod.env app/.env a/b/web.env .env.test.local
		id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_rsa.old id_rsa_work id_ed25519.txt keys/ID_RSA id_github
		server.pem ca/cert.PEM tls.key key.pem~ AuthKey.p8 login.ppk pass.kdbx
		.netrc _netrc .npmrc web/.npmrc .pypirc .git-credentials .pgpass .htpasswd .dockercfg .docker/config.json .vault-token
		.aws/credentials .aws/config home/.aws/sso/cache/a.json .kube/config .kube/cache/x.go .config/gcloud/credentials.db
		terraform.tfstate terraform.tfstate.backup a/terraform.tfstate.1700000000.backup
		kubeconfig admin.kubeconfig kubeconfig.yaml prod-kubeconfig.yml kubeconfig-prod my_kubeconfig kubeconfig.bak
		credentials.json client_secret_123.apps.json .gem/credentials .cargo/credentials.toml .m2/settings.xml`) {
		if !isCredential(name) {
			t.Errorf("%s would be read", name)
		}
	}
	for _, name := range strings.Fields(`
		.env.example .env.sample .env.template .env.dist .env.defaults .env-example .env.production.example example.env .env.j2
		env .environment env.go .envoy.yaml go.env dotenv.md environment.py src/env/index.ts .env/lib/site.py
		id_rsa.pub id_ed25519.pub id_test.go id_map.rs id_generator.py id_ID id_ID.po id.go ids.txt id_mapping.csv valid_rsa id_rsa.md
		pem.go pem_decrypt.rs key.go keys.md public_key.txt keyboard.key.ts monkey
		npmrc.md netrc.go netrc_test.go npmrc .npmignore config.json docker/config.json
		aws/config.go .awsome kube/config.go .kubernetes/deploy.yaml gcloud/auth.py
		main.tf prod.tfvars tfstate.go statefile.md
		kubeconfig.go kubeconfig_test.go kubeconfig.md openshift.kubeconfig.template kubeconfig.j2 kubeconfigutil.yaml mykubeconfig.rs
		credentials.go credentials.md credentials.yaml secrets.yaml settings.xml ~ .bak`) {
		if isCredential(name) {
			t.Errorf("%s would be left out", name)
		}
	}
}

// begin spells the first line of a key, in parts: no scanner shall take this file for a leak.
func begin(kind string) string { return "-----BEGIN " + kind + "PRIVATE" + " KEY-----" }

func TestPrivateKeys(t *testing.T) {
	data := strings.Repeat("MIIEvQIBADANBgkq", 4) + "\n" + strings.Repeat("hkiG9w0BAQEFAASC", 4) + "\n"
	pgp := "-----BEGIN PGP " + "PRIVATE KEY" + " BLOCK-----\nVersion: GnuPG v2\n\n" + data
	age := "AGE-SECRET" + "-KEY-1" + strings.Repeat("QPZRY9X8GF", 6)
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"a", begin("RSA ") + "\n" + data, true},
		{"a", begin("") + "\r\n" + data, true},
		{"a", begin("OPENSSH ") + "\n" + data, true},
		{"a", begin("EC ") + "\nshort\n", true}, // on a line of its own
		{"a.txt", "my key:\n\n  " + begin("ENCRYPTED ") + "\n  " + data, true},
		{"a", begin("RSA ") + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n" + data, true},
		{"a.asc", pgp, true},
		{"a.txt", "PuTTY-User" + "-Key-File-3: ssh-ed25519\nEncryption: none\n", true},
		{"keys.txt", "# public key: age1x\n" + age + "\n", true},
		{"a.ovpn", "<tls-auth>\n-----BEGIN OpenVPN" + " Static key V1-----\n0123456789abcdef\n", true},
		{"a.json", `{"private_key": "` + begin("") + `\n` + strings.ReplaceAll(data, "\n", `\n`) + `"}`, true},
		{"a.yaml", "key: |\n  " + begin("RSA ") + "\n  " + strings.ReplaceAll(data, "\n", "\n  "), true},
		{"README.md", "```\n" + begin("RSA ") + "\n" + data + "```\n", true},

		{"README.md", "```\n" + begin("RSA ") + "\n...\n-----END RSA PRIVATE KEY-----\n```\n", false},
		{"README.md", "A key begins with " + begin("RSA ") + ".\n", false},
		{"guide.rst", begin("") + "\nMIIEvQIBADANBg...\n", false},
		{"a.yaml", "description: a PEM block, " + begin("") + "\n", false},
		{"a.json", `{"hint": "starts with ` + begin("") + `"}`, false},
		{"a.txt", "-----BEGIN PUBLIC KEY-----\n" + data, false},
		{"a.txt", "-----BEGIN CERTIFICATE-----\n" + data, false},
		{"key.go", "package a\n\nconst k = `" + begin("RSA ") + "\n" + data + "`\n", false},
		{"test_key.py", "KEY = '''" + begin("") + "\n" + data + "'''\n", false},
		{"a.txt", "the OpenVPN Static key file\n", false},
		{"a.md", "PuTTY-User-Key-File-2 is the first line of a .ppk\n", false},
		{"a.txt", "see AGE-SECRET-KEY-1...\n", false},
		{"a.txt", "", false},
	} {
		if got := holdsPrivateKey(c.name, []byte(c.text)); got != c.want {
			t.Errorf("%s %.60q: %v", c.name, c.text, got)
		}
	}
}

// secretTree has two credentials and two other files.
func secretTree(t *testing.T) (root, dir string) {
	t.Helper()
	root, dir = t.TempDir(), t.TempDir()
	tree(t, root, map[string]string{
		"a.go": "package a\n", "README.md": "# Tea\n",
		".env": "TOKEN=walrus\n", "notes/deploy.txt": begin("OPENSSH ") + "\n" + strings.Repeat("b3BlbnNzaC1r", 20) + "\n",
	})
	return root, dir
}

// held lists what the store has, by path.
func held(t *testing.T, dir string) map[string]store.FileState {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := s.Pin(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	states, err := p.Readers[0].States(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return states
}

func mustHold(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := slices.Sorted(maps.Keys(held(t, dir))); !slices.Equal(got, want) {
		t.Errorf("the store holds %q, want %q", got, want)
	}
}

func mustBeFresh(t *testing.T, root, dir string, secrets bool) {
	t.Helper()
	p, err := Compare(context.Background(), root, dir, held(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if p.Files() != 0 || p.Secrets != secrets {
		t.Errorf("compared: %+v", p)
	}
}

// Credentials stay out, whether an index is built or updated, until they are asked for, and go
// again when they are not; what is compared with the tree is what the last scrape was asked for.
func TestCredentialsStayOut(t *testing.T) {
	root, dir := secretTree(t)
	o := Options{Root: root, StoreDir: dir}
	with := o
	with.IncludeSecrets = true
	for round := range 2 {
		for range 2 {
			s := scrape(t, o)
			if s.Skipped[credentials] != 1 || s.Skipped[privateKey] != 1 {
				t.Errorf("skipped %v", s.Skipped)
			}
			mustHold(t, dir, "README.md", "a.go")
			mustBeFresh(t, root, dir, false)
		}
		if text := dump(t, dir); strings.Contains(text, "walrus") {
			t.Error("a word of a credential is in the index")
		}
		for i := range 2 {
			s := scrape(t, with)
			if s.Skipped[credentials]+s.Skipped[privateKey] != 0 || i == 0 && s.Added != 2 || i == 1 && s.Unchanged != 4 {
				t.Errorf("round %d: %+v", round, s)
			}
			mustHold(t, dir, ".env", "README.md", "a.go", "notes/deploy.txt")
			mustBeFresh(t, root, dir, true)
		}
	}
	s := scrape(t, o)
	if s.Removed != 2 {
		t.Errorf("removed %d", s.Removed)
	}
	mustHold(t, dir, "README.md", "a.go")
}

// An updated store equals a fresh one, with and without.
func TestCredentialsUpdatedEqualFresh(t *testing.T) {
	root, dir := secretTree(t)
	for _, secrets := range []bool{false, true, true, false} {
		scrape(t, Options{Root: root, StoreDir: dir, IncludeSecrets: secrets})
		fresh := t.TempDir()
		scrape(t, Options{Root: root, StoreDir: fresh, IncludeSecrets: secrets})
		if got, want := dump(t, dir), dump(t, fresh); got != want {
			t.Errorf("with secrets %v: %s", secrets, firstDifference(got, want))
		}
	}
}

// A file that becomes a credential goes, one that ceases to be one comes; both show in what is
// compared.
func TestCredentialsComeAndGo(t *testing.T) {
	root, dir := secretTree(t)
	o := Options{Root: root, StoreDir: dir}
	scrape(t, o)
	tree(t, root, map[string]string{"README.md": begin("RSA ") + "\n" + strings.Repeat("MIIEvQIBADAN", 20) + "\n", "notes/deploy.txt": "make deploy\n"})
	p, err := Compare(context.Background(), root, dir, held(t, dir))
	if err != nil || p.Removed != 1 || p.Added != 1 || p.Changed != 0 {
		t.Errorf("compared: %+v, %v", p, err)
	}
	scrape(t, o)
	mustHold(t, dir, "a.go", "notes/deploy.txt")
	mustBeFresh(t, root, dir, false)
}

// A credential that is named is left out all the same, and with the option taken in; the others
// stay as they are.
func TestCredentialsByFile(t *testing.T) {
	root, dir := secretTree(t)
	o := Options{Root: root, StoreDir: dir}
	scrape(t, o)
	o.Files = []string{".env"}
	if s := scrape(t, o); s.Skipped[credentials] != 1 {
		t.Errorf("skipped %v", s.Skipped)
	}
	mustHold(t, dir, "README.md", "a.go")
	o.IncludeSecrets = true
	scrape(t, o)
	mustHold(t, dir, ".env", "README.md", "a.go")
	mustBeFresh(t, root, dir, true)
	o.Files, o.IncludeSecrets = []string{"a.go"}, false
	scrape(t, o)
	mustHold(t, dir, ".env", "README.md", "a.go")
	o.Files = []string{".env"}
	scrape(t, o)
	mustHold(t, dir, "README.md", "a.go")
}

// A credential is not even opened: this one could not be.
func TestCredentialsAreNotOpened(t *testing.T) {
	at, err := openFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if _, err := readOpenly(at, found{path: "gone/.env"}, 1000, false); err != (skip{credentials}) {
		t.Errorf("read: %v", err)
	}
}
