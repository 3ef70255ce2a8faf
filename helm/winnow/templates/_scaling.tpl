{{/* Speed of scaling: every step is a rebalance, so steps down are slow and few. */}}

{{- define "winnow.scaleBehavior" -}}
scaleUp:
  stabilizationWindowSeconds: 30
  policies:
    - type: Percent
      value: 100
      periodSeconds: 60
    - type: Pods
      value: 2
      periodSeconds: 60
scaleDown:
  stabilizationWindowSeconds: {{ .Values.autoscaling.scaleDownStabilizationSeconds }}
  policies:
    - type: Pods
      value: {{ .Values.autoscaling.scaleDownPodsPerMinute }}
      periodSeconds: 60
{{- end -}}

{{/* The names of our SASL mechanisms in KEDA's kafka trigger. */}}
{{- define "winnow.kedaSasl" -}}
{{- $names := dict "PLAIN" "plaintext" "SCRAM-SHA-256" "scram_sha256" "SCRAM-SHA-512" "scram_sha512" -}}
{{- if include "winnow.usesSasl" . -}}
{{- get $names .Values.kafka.sasl.mechanism -}}
{{- else -}}
none
{{- end -}}
{{- end -}}

{{/* The metadata of the trigger: all strings, because the custom resource refuses numbers. */}}
{{- define "winnow.kedaMetadata" -}}
{{- $keda := .Values.autoscaling.keda -}}
{{- $metadata := dict
      "bootstrapServers" (include "winnow.kafkaBootstrap" .)
      "consumerGroup" .Values.kafka.group
      "topic" .Values.topics.pages
      "lagThreshold" (mul (int $keda.lagPerProcess) (int .Values.worker.processes) | toString)
      "activationLagThreshold" (int $keda.activationLag | toString)
      "offsetResetPolicy" "earliest"
      "allowIdleConsumers" (.Values.autoscaling.allowIdleConsumers | toString)
      "ensureEvenDistributionOfPartitions" ($keda.evenDistribution | toString)
      "version" $keda.kafkaVersion
      "sasl" (include "winnow.kedaSasl" .)
      "tls" (ternary "enable" "disable" (eq "true" (include "winnow.usesTls" .))) -}}
{{- toYaml (merge (deepCopy $keda.triggerMetadata) $metadata) -}}
{{- end -}}

{{- define "winnow.kedaNeedsAuthentication" -}}
{{- if or (include "winnow.usesSasl" .) .Values.kafka.tls.existingSecret -}}true{{- end -}}
{{- end -}}
