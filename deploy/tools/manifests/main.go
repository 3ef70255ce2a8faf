// Command manifests reads rendered manifests from standard input and holds each against the Go types
// that the API server, KEDA and the Prometheus operator decode it into, and every pod against the
// restricted profile, by the admission code itself. One line a finding; exit 1 if there is one.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	keda "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/pod-security-admission/api"
	security "k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

// typeOf maps "apiVersion kind" to a new value of its Go type.
var typeOf = map[string]func() any{
	"apps/v1 Deployment":                      func() any { return new(apps.Deployment) },
	"apps/v1 StatefulSet":                     func() any { return new(apps.StatefulSet) },
	"autoscaling/v2 HorizontalPodAutoscaler":  func() any { return new(autoscaling.HorizontalPodAutoscaler) },
	"batch/v1 Job":                            func() any { return new(batch.Job) },
	"keda.sh/v1alpha1 ScaledObject":           func() any { return new(keda.ScaledObject) },
	"keda.sh/v1alpha1 TriggerAuthentication":  func() any { return new(keda.TriggerAuthentication) },
	"monitoring.coreos.com/v1 PodMonitor":     func() any { return new(monitoring.PodMonitor) },
	"monitoring.coreos.com/v1 PrometheusRule": func() any { return new(monitoring.PrometheusRule) },
	"networking.k8s.io/v1 NetworkPolicy":      func() any { return new(networking.NetworkPolicy) },
	"policy/v1 PodDisruptionBudget":           func() any { return new(policy.PodDisruptionBudget) },
	"v1 ConfigMap":                            func() any { return new(core.ConfigMap) },
	"v1 Pod":                                  func() any { return new(core.Pod) },
	"v1 Service":                              func() any { return new(core.Service) },
	"v1 ServiceAccount":                       func() any { return new(core.ServiceAccount) },
}

// decode is strict: unknown fields and numbers where a text is due are errors. (yaml.UnmarshalStrict
// would turn `lagThreshold: 50` into the text that the field wants; the API server would refuse it.)
func decode(document []byte) (name string, object any, err error) {
	text, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return "document", nil, err
	}
	var head struct {
		meta.TypeMeta `json:",inline"`
		Metadata      meta.ObjectMeta `json:"metadata"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return "document", nil, err
	}
	if head.Kind == "" {
		return "", nil, nil
	}
	name = head.Kind + "/" + head.Metadata.Name
	empty, known := typeOf[head.APIVersion+" "+head.Kind]
	if !known {
		return name, nil, fmt.Errorf("no type is known for %s %s", head.APIVersion, head.Kind)
	}
	object = empty()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return name, object, decoder.Decode(object)
}

// podOf returns what an object starts, or nil.
func podOf(object any) (*meta.ObjectMeta, *core.PodSpec) {
	switch o := object.(type) {
	case *apps.Deployment:
		return &o.Spec.Template.ObjectMeta, &o.Spec.Template.Spec
	case *apps.StatefulSet:
		return &o.Spec.Template.ObjectMeta, &o.Spec.Template.Spec
	case *batch.Job:
		return &o.Spec.Template.ObjectMeta, &o.Spec.Template.Spec
	case *core.Pod:
		return &o.ObjectMeta, &o.Spec
	}
	return nil, nil
}

func restrictions(evaluator security.Evaluator, object any) (findings []string) {
	about, pod := podOf(object)
	if pod == nil {
		return nil
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, result := range evaluator.EvaluatePod(level, about, pod) {
		if !result.Allowed {
			findings = append(findings, result.ForbiddenReason+": "+result.ForbiddenDetail)
		}
	}
	return findings
}

func check(input io.Reader, output io.Writer) (manifests, pods, findings int, err error) {
	evaluator, err := security.NewEvaluator(security.DefaultChecks(), nil)
	if err != nil {
		return 0, 0, 0, err
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(input))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return manifests, pods, findings, nil
		}
		if err != nil {
			return manifests, pods, findings, err
		}
		name, object, wrong := decode(document)
		if name == "" {
			continue
		}
		manifests++
		if wrong != nil {
			findings++
			fmt.Fprintf(output, "%s: %v\n", name, wrong)
			continue
		}
		if _, pod := podOf(object); pod != nil {
			pods++
		}
		for _, finding := range restrictions(evaluator, object) {
			findings++
			fmt.Fprintf(output, "%s: %s\n", name, finding)
		}
	}
}

func main() {
	manifests, pods, findings, err := check(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("%d manifests, %d pods, %d findings\n", manifests, pods, findings)
	if findings > 0 {
		os.Exit(1)
	}
}
