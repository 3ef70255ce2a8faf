{{/* Values derived from other values: useful pods, drain time, resources. */}}

{{- define "winnow.kafkaBootstrap" -}}
{{- tpl .Values.kafka.bootstrap . | trim -}}
{{- end -}}

{{- define "winnow.redisUrl" -}}
{{- tpl .Values.redis.url . | trim -}}
{{- end -}}

{{/* Maximum pods that can have a partition: ceil(partitions / processes). */}}
{{- define "winnow.usefulReplicas" -}}
{{- $processes := int .Values.worker.processes -}}
{{- div (add (int .Values.topics.partitions) (sub $processes 1)) $processes -}}
{{- end -}}

{{/* Maximum number of pods. */}}
{{- define "winnow.maxReplicas" -}}
{{- if eq .Values.autoscaling.mode "none" -}}
{{- int .Values.worker.replicas -}}
{{- else if kindIs "invalid" .Values.autoscaling.maxReplicas -}}
{{- include "winnow.usefulReplicas" . -}}
{{- else -}}
{{- int .Values.autoscaling.maxReplicas -}}
{{- end -}}
{{- end -}}

{{- define "winnow.graceSeconds" -}}
{{- if kindIs "invalid" .Values.worker.terminationGracePeriodSeconds -}}
{{- add (int .Values.worker.drainSeconds) (int .Values.worker.graceMarginSeconds) -}}
{{- else -}}
{{- int .Values.worker.terminationGracePeriodSeconds -}}
{{- end -}}
{{- end -}}

{{/* Memory of a pod, in MiB: the shared model once, private memory per process. */}}
{{- define "winnow.neededMiB" -}}
{{- add (int .Values.model.sizeMiB) (mul (int .Values.worker.processes) (int .Values.memory.perProcessMiB)) (int .Values.memory.headroomMiB) -}}
{{- end -}}

{{/* A Kubernetes quantity in whole MiB, rounded down. */}}
{{- define "winnow.quantityMiB" -}}
{{- $units := dict "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "" 1 -}}
{{- $quantity := . | toString -}}
{{- $number := regexFind "^[0-9]+([.][0-9]+)?" $quantity -}}
{{- $unit := trimPrefix $number $quantity -}}
{{- if or (not $number) (not (hasKey $units $unit)) -}}
{{- fail (printf "winnow: %q is not a memory quantity; write it like 512Mi or 2Gi" $quantity) -}}
{{- end -}}
{{- floor (divf (mulf (float64 $number) (get $units $unit)) 1048576) | int64 -}}
{{- end -}}

{{/* A Kubernetes quantity of CPU in thousandths of a core, rounded down. */}}
{{- define "winnow.quantityMilli" -}}
{{- $quantity := . | toString -}}
{{- if not (regexMatch "^([0-9]+m|[0-9]+([.][0-9]+)?)$" $quantity) -}}
{{- fail (printf "winnow: %q is not a CPU quantity; write it like 500m or 2" $quantity) -}}
{{- end -}}
{{- floor (mulf (trimSuffix "m" $quantity | float64) (ternary 1 1000 (hasSuffix "m" $quantity))) | int64 -}}
{{- end -}}

{{/* Requests and limits of the worker; given values override derived ones. */}}
{{- define "winnow.resources" -}}
{{- $memory := printf "%sMi" (include "winnow.neededMiB" .) -}}
{{- $copyMiB := ternary (int .Values.model.sizeMiB) 0 (eq .Values.model.delivery "initContainer") -}}
{{- $diskMiB := add (int .Values.tmp.sizeMiB) $copyMiB 64 -}}
{{- $cpu := mul (int .Values.worker.processes) (int .Values.worker.threads) | toString -}}
{{- $disk := printf "%dMi" $diskMiB -}}
{{- $limits := merge (deepCopy (.Values.resources.limits | default dict)) (dict "memory" $memory "ephemeral-storage" $disk) -}}
{{- with get $limits "cpu" -}}
{{- if lt (include "winnow.quantityMilli" . | int) (include "winnow.quantityMilli" $cpu | int) -}}
{{- $cpu = . -}}
{{- end -}}
{{- end -}}
{{- $derived := dict "cpu" $cpu "memory" (get $limits "memory") "ephemeral-storage" (get $limits "ephemeral-storage") -}}
{{- $requests := merge (deepCopy (.Values.resources.requests | default dict)) $derived -}}
{{- toYaml (dict "requests" $requests "limits" $limits) -}}
{{- end -}}

{{/* Startup may take 30 s and the first reading of the model, at 20 MiB/s. */}}
{{- define "winnow.startupFailures" -}}
{{- if kindIs "invalid" .Values.probes.startup.failureThreshold -}}
{{- $seconds := add 30 (div (int .Values.model.sizeMiB) 20) -}}
{{- add 1 (div $seconds (int .Values.probes.startup.periodSeconds)) -}}
{{- else -}}
{{- int .Values.probes.startup.failureThreshold -}}
{{- end -}}
{{- end -}}

{{/* Absolute path of the model file; empty for the shipped model of the image. */}}
{{- define "winnow.modelPath" -}}
{{- if and .Values.model.file (ne .Values.model.delivery "image") -}}
/models/{{ .Values.model.file }}
{{- else -}}
{{ .Values.model.file }}
{{- end -}}
{{- end -}}

{{- define "winnow.usesSasl" -}}
{{- if hasPrefix "sasl_" .Values.kafka.security -}}true{{- end -}}
{{- end -}}

{{- define "winnow.usesTls" -}}
{{- if or (eq .Values.kafka.security "ssl") (eq .Values.kafka.security "sasl_ssl") -}}true{{- end -}}
{{- end -}}

{{/* Ports of the bootstrap servers, as a JSON list. */}}
{{- define "winnow.kafkaPorts" -}}
{{- $ports := list -}}
{{- range .Values.networkPolicy.kafkaPorts -}}
{{- $ports = append $ports (int .) -}}
{{- else -}}
{{- range splitList "," (include "winnow.kafkaBootstrap" .) -}}
{{- $ports = append $ports (last (splitList ":" (trim .)) | int) -}}
{{- end -}}
{{- end -}}
{{- uniq $ports | toJson -}}
{{- end -}}

{{/* Ports of Redis, as a JSON list: of each host in the URL, and of the sentinels' master; empty for a socket. */}}
{{- define "winnow.redisPorts" -}}
{{- $ports := list -}}
{{- $url := include "winnow.redisUrl" . -}}
{{- range .Values.networkPolicy.redisPorts -}}
{{- $ports = append $ports (int .) -}}
{{- else -}}
{{- if and $url (not (hasPrefix "unix:" $url)) -}}
{{- $sentinels := contains "+sentinel:" $url -}}
{{- range regexFind "://[^/?]*" $url | trimPrefix "://" | splitList "@" | last | splitList "," -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" (regexReplaceAll "^\\[[^]]*\\]" . "") | trimPrefix ":" | default (ternary 26379 6379 $sentinels) | int) -}}
{{- end -}}
{{- if $sentinels -}}
{{- $ports = append $ports 6379 -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- uniq $ports | toJson -}}
{{- end -}}
