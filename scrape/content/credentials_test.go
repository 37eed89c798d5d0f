package content

import (
	"strings"
	"testing"

	"patina/scrape/openat"
)

func TestCredentialsByName(t *testing.T) {
	for _, name := range strings.Fields(`
		.env .ENV .env.local .env.production .env_prod .env~ .env.bak
		.envrc prod.env app/.env a/b/web.env .env.test.local
		id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_rsa.old id_rsa_work id_ed25519.txt keys/ID_RSA id_github
		server.pem ca/cert.PEM tls.key key.pem~ AuthKey.p8 login.ppk pass.kdbx
		.netrc _netrc .npmrc web/.npmrc .pypirc .git-credentials .pgpass
		.htpasswd .dockercfg .docker/config.json .vault-token
		.aws/credentials .aws/config home/.aws/sso/cache/a.json .kube/config
		.kube/cache/x.go .config/gcloud/credentials.db
		terraform.tfstate terraform.tfstate.backup a/terraform.tfstate.1700000000.backup
		kubeconfig admin.kubeconfig kubeconfig.yaml prod-kubeconfig.yml kubeconfig-prod my_kubeconfig kubeconfig.bak
		credentials.json client_secret_123.apps.json .gem/credentials .cargo/credentials.toml .m2/settings.xml
		.aws-credentials .aws_credentials .credentials .gcp-credentials.json
		.db-creds aws-credentials AWS_Credentials.csv
		credentials.csv db.creds prod_creds.ini .aws-credentials.yaml my-credentials .credentials~ aws-credentials.bak
		service-account.json prod-service-account-key.json serviceAccountKey.json rootkey.csv ci_accessKeys.csv`) {
		if !isCredential(name) {
			t.Errorf("%s would be read", name)
		}
	}
	for _, name := range strings.Fields(`
		.env.example .env.sample .env.template .env.dist .env.defaults
		.env-example .env.production.example example.env .env.j2
		env .environment env.go .envoy.yaml go.env dotenv.md environment.py src/env/index.ts .env/lib/site.py
		id_rsa.pub id_ed25519.pub id_test.go id_map.rs id_generator.py id_ID
		id_ID.po id.go ids.txt id_mapping.csv valid_rsa id_rsa.md
		pem.go pem_decrypt.rs key.go keys.md public_key.txt keyboard.key.ts monkey
		npmrc.md netrc.go netrc_test.go npmrc .npmignore config.json docker/config.json
		aws/config.go .awsome kube/config.go .kubernetes/deploy.yaml gcloud/auth.py
		main.tf prod.tfvars tfstate.go statefile.md
		kubeconfig.go kubeconfig_test.go kubeconfig.md openshift.kubeconfig.template
		kubeconfig.j2 kubeconfigutil.yaml mykubeconfig.rs
		credentials.example.json aws-credentials.sample .credentials.template credentials_test.py aws-credentials.md
		aws-credentials.yaml usecredentials sacred screeds.txt incredible.csv service_account.py
		credentials.go credentials.md credentials.yaml secrets.yaml settings.xml ~ .bak`) {
		if isCredential(name) {
			t.Errorf("%s would be left out", name)
		}
	}
}

// begin returns the first line of a key. Its parts are joined here because no scanner should take
// this file for a leak.
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

// A credential must not even be opened. This one does not exist.
func TestCredentialsAreNotOpened(t *testing.T) {
	at, err := openat.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if _, err := Read(at, "gone/.env", 0, Limits{MaxSize: 1000}); err != (Skip{Credentials}) {
		t.Errorf("read: %v", err)
	}
}
