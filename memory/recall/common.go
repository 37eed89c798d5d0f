package recall

import (
	"strings"
	"sync"
)

// Common returns the definitions of common abbreviations.
func Common() (out []Definition) {
	for line := range strings.SplitSeq(common, "\n") {
		short, all, _ := strings.Cut(line, ":")
		for long := range strings.SplitSeq(all, ",") {
			out = append(out, Definition{strings.TrimSpace(short), strings.TrimSpace(long)})
		}
	}
	return out
}

var commonForms = sync.OnceValue(func() *glossary { return newGlossary(Common()) })

// common lists abbreviations that programmers write, each with its long forms, and words with two
// spellings.
const common = `acl: access control list
adr: architecture decision record
api: application programming interface
arg: argument
auth: authentication, authorization, authorisation
async: asynchronous
backup: back up
cdn: content delivery network
ci: continuous integration
cli: command line
conf: configuration
config: configuration
conn: connection
cors: cross origin resource sharing
csrf: cross site request forgery
ctx: context
db: database
dep: dependency
dir: directory
dns: domain name system
doc: documentation
e2e: end to end
env: environment
fail: failure
filename: file name
fk: foreign key
gc: garbage collection, garbage collector
gui: graphical user interface
hostname: host name
i18n: internationalization
iac: infrastructure as code
impl: implementation
init: initialization
jwt: json web token
k8s: kubernetes
l10n: localization
lib: library
login: log in
logout: log out
lru: least recently used
lsp: language server protocol
mfa: multi factor authentication
mr: merge request
msg: message
oom: out of memory
orm: object relational mapper, object relational mapping
param: parameter
perf: performance
pkg: package
pr: pull request
prod: production
rbac: role based access control
regex: regular expression
regexp: regular expression
repo: repository
req: request
resp: response
rollback: roll back
rpc: remote procedure call
sdk: software development kit
setup: set up
slo: service level objective
spec: specification
sso: single sign on
sync: synchronization
timeout: time out
tls: transport layer security
tmp: temporary
ttl: time to live
tx: transaction
txn: transaction
username: user name
vm: virtual machine
wal: write ahead log, write ahead logging
xss: cross site scripting
color: colour
behavior: behaviour
license: licence
serialize: serialise
initialize: initialise
normalize: normalise
analyze: analyse
cancelation: cancellation`
