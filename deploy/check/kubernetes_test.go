package check

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	"github.com/pelletier/go-toml/v2"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// The two folders that are applied.
const (
	baseDir        = "../kubernetes/base"
	certManagerDir = "../kubernetes/cert-manager"
)

// manifests are the objects of a folder, by kind and name.
type manifests struct {
	services map[string]*core.Service
	configs  map[string]*core.ConfigMap
	sets     map[string]*apps.StatefulSet
	budgets  map[string]*policy.PodDisruptionBudget
	policies map[string]*networking.NetworkPolicy
	certs    map[string]*certmanager.Certificate
	issuers  map[string]*certmanager.Issuer
}

// build returns what "kubectl apply -k" sends for a folder, decoded strictly.
func build(t *testing.T, dir string) manifests {
	t.Helper()
	objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	m := manifests{
		map[string]*core.Service{},
		map[string]*core.ConfigMap{},
		map[string]*apps.StatefulSet{},
		map[string]*policy.PodDisruptionBudget{},
		map[string]*networking.NetworkPolicy{},
		map[string]*certmanager.Certificate{},
		map[string]*certmanager.Issuer{},
	}
	for _, o := range objects.Resources() {
		text, err := o.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.add(o.GetApiVersion()+" "+o.GetKind(), o.GetName(), text); err != nil {
			t.Errorf("%s: %s %s: %v", dir, o.GetKind(), o.GetName(), err)
		}
		if o.GetNamespace() != "" {
			t.Errorf("%s %s names a namespace", o.GetKind(), o.GetName())
		}
	}
	return m
}

func (m *manifests) add(kind, name string, text []byte) error {
	switch kind {
	case "v1 Service":
		return decode(m.services, name, text)
	case "v1 ConfigMap":
		return decode(m.configs, name, text)
	case "apps/v1 StatefulSet":
		return decode(m.sets, name, text)
	case "policy/v1 PodDisruptionBudget":
		return decode(m.budgets, name, text)
	case "networking.k8s.io/v1 NetworkPolicy":
		return decode(m.policies, name, text)
	case "cert-manager.io/v1 Certificate":
		return decode(m.certs, name, text)
	case "cert-manager.io/v1 Issuer":
		return decode(m.issuers, name, text)
	}
	return fmt.Errorf("%s is not checked", kind)
}

func decode[T any](into map[string]*T, name string, text []byte) error {
	if into[name] != nil {
		return fmt.Errorf("defined twice")
	}
	into[name] = new(T)
	text, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return err
	}
	faults, err := json.UnmarshalStrict(text, into[name]) // as the API server does
	return errors.Join(append(faults, err)...)
}

// Both folders hold what the types of the API know, and nothing else. A misspelt field is refused.
func TestManifestsFollowTheirTypes(t *testing.T) {
	for _, dir := range []string{baseDir, certManagerDir} {
		m := build(t, dir)
		if len(m.sets) != 2 || len(m.services) != 4 || len(m.configs) != 1 || len(m.budgets) != 2 || len(m.policies) != 2 {
			t.Errorf("%s: objects are missing: %+v", dir, m)
		}
	}
	err := decode(map[string]*core.Service{}, "x", []byte("spec: {clusterIp: None}"))
	if err == nil || !strings.Contains(err.Error(), "clusterIp") {
		t.Errorf("a misspelt field: %v", err)
	}
}

// What selects pods finds those that it is meant for, and a port's name is a port of theirs.
func TestSelectorsFindPods(t *testing.T) {
	m := build(t, baseDir)
	for name, set := range m.sets {
		if !selects(t, set.Spec.Selector, set) {
			t.Errorf("StatefulSet %s does not find its own pods", name)
		}
		s := m.services[set.Spec.ServiceName]
		if s == nil || s.Spec.ClusterIP != core.ClusterIPNone || !s.Spec.PublishNotReadyAddresses {
			t.Errorf("StatefulSet %s: its service is not headless, or waits until pods are ready", name)
		}
		if b := m.budgets[name]; b == nil || !selects(t, b.Spec.Selector, set) || b.Spec.MaxUnavailable == nil || b.Spec.MaxUnavailable.IntValue() != 1 {
			t.Errorf("StatefulSet %s: no budget of one pod", name)
		}
		if p := m.policies[name]; p == nil || !selects(t, &p.Spec.PodSelector, set) || len(p.Spec.PolicyTypes) != 2 {
			t.Errorf("StatefulSet %s: no policy for both directions", name)
		}
	}
	for name, s := range m.services {
		want := maps.Clone(s.Spec.Selector)
		pod, ofOne := want["statefulset.kubernetes.io/pod-name"]
		delete(want, "statefulset.kubernetes.io/pod-name")
		set := m.sets[want["app.kubernetes.io/component"]]
		if set == nil || !labels.SelectorFromSet(want).Matches(labels.Set(set.Spec.Template.Labels)) {
			t.Errorf("Service %s selects nothing", name)
			continue
		}
		if ofOne && !slices.Contains(podsOf(set), pod) {
			t.Errorf("Service %s selects %s, which is no pod", name, pod)
		}
		for _, port := range s.Spec.Ports {
			if portOf(set, port.TargetPort.StrVal) != port.Port {
				t.Errorf("Service %s: port %v", name, port)
			}
		}
	}
}

func selects(t *testing.T, selector *meta.LabelSelector, set *apps.StatefulSet) bool {
	t.Helper()
	s, err := meta.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return !s.Empty() && s.Matches(labels.Set(set.Spec.Template.Labels))
}

func podsOf(set *apps.StatefulSet) (names []string) {
	for i := range *set.Spec.Replicas {
		names = append(names, fmt.Sprintf("%s-%d", set.Name, i))
	}
	return names
}

func portOf(set *apps.StatefulSet, name string) int32 {
	for _, p := range set.Spec.Template.Spec.Containers[0].Ports {
		if p.Name == name {
			return p.ContainerPort
		}
	}
	return 0
}

// The nodes and fronts of nodes.toml are the pods, at the addresses by which they are reached.
func TestConfigurationNamesThePods(t *testing.T) {
	m := build(t, baseDir)
	var c struct {
		Node, Front []struct{ Name, Address string }
	}
	if err := toml.Unmarshal([]byte(m.configs["cluster"].Data["nodes.toml"]), &c); err != nil {
		t.Fatal(err)
	}
	if m.configs["cluster"].Data["repositories.toml"] == "" {
		t.Error("the ConfigMap has no repositories.toml")
	}
	got := map[string]string{}
	for _, p := range slices.Concat(c.Node, c.Front) {
		got[p.Name] = p.Address
	}
	want := map[string]string{}
	for _, set := range m.sets {
		for _, pod := range podsOf(set) {
			want[pod] = fmt.Sprintf("%s.%s:%d", pod, set.Spec.ServiceName, portOf(set, "grpc"))
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("nodes.toml has %v, the pods are %v", got, want)
	}
}

// No container has a right beyond the "restricted" standard for pods, all write to volumes alone,
// and each has the time to finish its questions.
func TestPodsAreRestricted(t *testing.T) {
	for _, dir := range []string{baseDir, certManagerDir} {
		for name, set := range build(t, dir).sets {
			pod := set.Spec.Template.Spec
			if pod.TerminationGracePeriodSeconds == nil || *pod.TerminationGracePeriodSeconds != 40 {
				t.Errorf("%s: grace", name)
			}
			if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
				t.Errorf("%s: it gets a token of the API", name)
			}
			s := pod.SecurityContext
			if s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil ||
				s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault || s.RunAsUser == nil || *s.RunAsUser != 65532 {
				t.Errorf("%s: %+v", name, s)
			}
			for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
				checkContainer(t, set, c)
			}
			c := pod.Containers[0]
			if c.LivenessProbe == nil || c.ReadinessProbe == nil || c.StartupProbe == nil {
				t.Errorf("%s: a probe is missing", name)
			}
		}
	}
}

func checkContainer(t *testing.T, set *apps.StatefulSet, c core.Container) {
	t.Helper()
	s := c.SecurityContext
	if s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.ReadOnlyRootFilesystem == nil ||
		!*s.ReadOnlyRootFilesystem || s.Capabilities == nil || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) {
		t.Errorf("%s, %s: %+v", set.Name, c.Name, s)
	}
	if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
		t.Errorf("%s, %s: no resources", set.Name, c.Name)
	}
	var volumes []string
	for _, v := range set.Spec.Template.Spec.Volumes {
		volumes = append(volumes, v.Name)
	}
	for _, v := range set.Spec.VolumeClaimTemplates {
		volumes = append(volumes, v.Name)
	}
	for _, mount := range c.VolumeMounts {
		if !slices.Contains(volumes, mount.Name) {
			t.Errorf("%s, %s: no volume %s", set.Name, c.Name, mount.Name)
		}
	}
}

// Each pod has the certificate by its own name: in the Secret that it starts from, and in the
// Certificate that makes this Secret.
func TestCertificatesAreOfThePods(t *testing.T) {
	m := build(t, certManagerDir)
	if m.issuers["patina"] == nil {
		t.Fatal("no Issuer")
	}
	for _, set := range m.sets {
		role := set.Name
		var secrets []string
		for _, v := range set.Spec.Template.Spec.Volumes {
			if v.Projected == nil {
				continue
			}
			for _, s := range v.Projected.Sources {
				secrets = append(secrets, s.Secret.Name)
				for _, item := range s.Secret.Items {
					if want := s.Secret.Name + "/" + item.Key; item.Path != want {
						t.Errorf("%s: %s is at %s, want %s", set.Name, item.Key, item.Path, want)
					}
				}
			}
		}
		if !slices.Equal(secrets, podsOf(set)) {
			t.Errorf("%s: secrets %q", set.Name, secrets)
		}
		for _, pod := range podsOf(set) {
			c := m.certs[pod]
			if c == nil || c.Spec.SecretName != pod || c.Spec.CommonName != pod || !slices.Equal(c.Spec.URIs, []string{"patina://" + role + "/" + pod}) ||
				!slices.Contains(c.Spec.DNSNames, pod+"."+set.Spec.ServiceName) || c.Spec.IssuerRef.Name != "patina" {
				t.Errorf("certificate of %s: %+v", pod, c)
			}
		}
	}
	if c := m.certs["anna"]; c == nil || !slices.Equal(c.Spec.URIs, []string{"patina://user/anna"}) || slices.Contains(c.Spec.Usages, certmanager.UsageServerAuth) {
		t.Errorf("certificate of a user: %+v", c)
	}
}

// Every file of the folders is applied.
func TestAllManifestsAreListed(t *testing.T) {
	for _, dir := range []string{baseDir, certManagerDir} {
		list, err := os.ReadFile(filepath.Join(dir, "kustomization.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if name := filepath.Base(f); name != "kustomization.yaml" && !strings.Contains(string(list), "- "+name+"\n") {
				t.Errorf("%s is not listed in %s", name, dir)
			}
		}
	}
}

// runScript runs the shell script of a container, with other folders in place of its volumes.
func runScript(t *testing.T, c core.Container, data, bootstrap string) string {
	t.Helper()
	if !slices.Equal(c.Command, []string{"sh", "-ec"}) {
		t.Fatalf("%s: command %q", c.Name, c.Command)
	}
	args := append([]string{"-ec", strings.NewReplacer("/data", data, "/bootstrap", bootstrap, "exec patina", "exec echo patina").Replace(c.Args[0])}, c.Args[1:]...)
	out, err := exec.Command("sh", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", c.Name, err, out)
	}
	return strings.TrimSpace(string(out))
}

// A pod begins with the certificate of its Secret, and keeps the one that it has renewed. The front
// that has the CA signs, and another one does not.
func TestPodsKeepTheirCertificates(t *testing.T) {
	for name, set := range build(t, baseDir).sets {
		pod := set.Spec.Template.Spec
		for _, withCA := range []bool{false, true} {
			data, bootstrap := t.TempDir(), t.TempDir()
			write := func(file, text string) {
				t.Helper()
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o444); err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range []string{"ca.crt", "tls.crt", "tls.key"} {
				write(filepath.Join(bootstrap, file), "first")
			}
			if withCA {
				write(filepath.Join(bootstrap, "ca", "ca.key"), "first")
				write(filepath.Join(bootstrap, "ca", "ca.crt"), "first")
			}
			runScript(t, pod.InitContainers[0], data, bootstrap)
			key := filepath.Join(data, "certificates", "tls.key")
			if info, err := os.Stat(key); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Fatalf("%s: %v, %v", name, info, err)
			}
			if err := os.Remove(key); err != nil {
				t.Fatal(err)
			}
			write(key, "renewed")
			runScript(t, pod.InitContainers[0], data, bootstrap)
			if text, err := os.ReadFile(key); string(text) != "renewed" {
				t.Errorf("%s: the key is %q, %v", name, text, err)
			}
			if name != "front" {
				continue
			}
			said := runScript(t, pod.Containers[0], data, bootstrap)
			want := "patina node front --config /cluster --listen :7470 --status 127.0.0.1:7471"
			if withCA {
				want += " --ca " + data + "/ca"
			}
			if said != want {
				t.Errorf("started %q, want %q", said, want)
			}
		}
	}
}
