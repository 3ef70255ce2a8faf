{{/* Invalid combinations that a schema cannot refuse. Each line says what is wrong and what to set; all are reported together. */}}

{{- define "winnow.guard" -}}
{{- $problems := concat
      (include "winnow.problems.kafka" . | fromJsonArray)
      (include "winnow.problems.scale" . | fromJsonArray)
      (include "winnow.problems.stop" . | fromJsonArray)
      (include "winnow.problems.resources" . | fromJsonArray)
      (include "winnow.problems.model" . | fromJsonArray)
      (include "winnow.problems.secrets" . | fromJsonArray)
      (include "winnow.problems.rest" . | fromJsonArray) -}}
{{- if $problems -}}
{{- fail (printf "winnow: these values cannot work:\n  - %s" (join "\n  - " $problems)) -}}
{{- end -}}
{{- end -}}

{{- define "winnow.problems.kafka" -}}
{{- $problems := list -}}
{{- $bootstrap := include "winnow.kafkaBootstrap" . -}}
{{- with .Values.kafka -}}
{{- if not $bootstrap -}}
{{- $problems = append $problems "kafka.bootstrap is empty: set it to host:port of at least one broker" -}}
{{- else if not (regexMatch "^(\\[[0-9a-fA-F:]+\\]|[^],:@/ []+):[0-9]+(, *(\\[[0-9a-fA-F:]+\\]|[^],:@/ []+):[0-9]+)*$" $bootstrap) -}}
{{- $problems = append $problems "kafka.bootstrap is not a list of host:port: leave out scheme, user and password" -}}
{{- end -}}
{{- range include "winnow.kafkaPorts" $ | fromJsonArray -}}
{{- if or (lt (int .) 1) (gt (int .) 65535) -}}
{{- $problems = append $problems (printf "kafka.bootstrap: %d is not a port: set one from 1 to 65535" (int .)) -}}
{{- end -}}
{{- end -}}
{{- if and (include "winnow.usesSasl" $) (not .sasl.existingSecret) -}}
{{- $problems = append $problems (printf "kafka.security is %s: set kafka.sasl.existingSecret to a Secret that holds %s and %s" .security .sasl.usernameKey .sasl.passwordKey) -}}
{{- end -}}
{{- if and .sasl.existingSecret (not (include "winnow.usesSasl" $)) -}}
{{- $problems = append $problems (printf "kafka.sasl.existingSecret is set but kafka.security is %s: set it to sasl_ssl or sasl_plaintext" .security) -}}
{{- end -}}
{{- if and .tls.existingSecret (not (include "winnow.usesTls" $)) -}}
{{- $problems = append $problems (printf "kafka.tls.existingSecret is set but kafka.security is %s: set it to ssl or sasl_ssl" .security) -}}
{{- end -}}
{{- if ne (empty .tls.certKey) (empty .tls.keyKey) -}}
{{- $problems = append $problems "a client certificate needs its key: set kafka.tls.certKey and kafka.tls.keyKey, or neither" -}}
{{- end -}}
{{- if and .tls.existingSecret (not .tls.caKey) (not .tls.certKey) -}}
{{- $problems = append $problems "kafka.tls.existingSecret is set but no key of it is used: set kafka.tls.caKey, or certKey and keyKey" -}}
{{- end -}}
{{- if and .tls.certKey (not .tls.existingSecret) -}}
{{- $problems = append $problems "kafka.tls.certKey needs a Secret: set kafka.tls.existingSecret" -}}
{{- end -}}
{{- if and .staticMembership (ne $.Values.kind "StatefulSet") -}}
{{- $problems = append $problems "kafka.staticMembership needs stable pod names: set kind to StatefulSet" -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "winnow.problems.scale" -}}
{{- $problems := list -}}
{{- $useful := int (include "winnow.usefulReplicas" .) -}}
{{- $max := int (include "winnow.maxReplicas" .) -}}
{{- $partitions := int .Values.topics.partitions -}}
{{- $processes := int .Values.worker.processes -}}
{{- with .Values.autoscaling -}}
{{- if gt $processes $partitions -}}
{{- $problems = append $problems (printf "worker.processes is %d but topics.partitions is %d: lower the first or raise the second" $processes $partitions) -}}
{{- end -}}
{{- if and (gt $max $useful) (not .allowIdleConsumers) -}}
{{- $problems = append $problems (printf "%d pods x %d processes are more consumers than the %d partitions can feed: set at most %d pods (worker.replicas, autoscaling.maxReplicas), more topics.partitions, or autoscaling.allowIdleConsumers" $max $processes $partitions $useful) -}}
{{- end -}}
{{- if and (ne .mode "none") (gt (int .minReplicas) $max) -}}
{{- $problems = append $problems (printf "autoscaling.minReplicas %d is above the %d pods that autoscaling may start: lower it, or raise maxReplicas" (int .minReplicas) $max) -}}
{{- end -}}
{{- if and (eq .mode "hpa") (lt (int .minReplicas) 1) -}}
{{- $problems = append $problems "autoscaling.minReplicas 0 needs a scaler that reads lag without pods: set autoscaling.mode to keda, or minReplicas to 1" -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "winnow.problems.stop" -}}
{{- $problems := list -}}
{{- $grace := int (include "winnow.graceSeconds" .) -}}
{{- $drain := int .Values.worker.drainSeconds -}}
{{- if le $grace (add $drain 10) -}}
{{- $problems = append $problems (printf "a grace period of %d s kills the worker before it has drained and ended (worker.drainSeconds %d, and up to 10 s more): set worker.terminationGracePeriodSeconds to at least %d, or to null" $grace $drain (add $drain 11)) -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "winnow.problems.resources" -}}
{{- $problems := list -}}
{{- $needed := int (include "winnow.neededMiB" .) -}}
{{- range $kind := list "limits" "requests" -}}
{{- with get (get $.Values.resources $kind | default dict) "memory" -}}
{{- $given := int (include "winnow.quantityMiB" .) -}}
{{- if lt $given $needed -}}
{{- $problems = append $problems (printf "resources.%s.memory is %s, but a model of %d MiB and %d processes need %d MiB: raise it, or lower worker.processes" $kind (toString .) (int $.Values.model.sizeMiB) (int $.Values.worker.processes) $needed) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $resources := include "winnow.resources" . | fromYaml -}}
{{- range $name, $measure := dict "cpu" "winnow.quantityMilli" "memory" "winnow.quantityMiB" "ephemeral-storage" "winnow.quantityMiB" -}}
{{- $request := get $resources.requests $name -}}
{{- with get $resources.limits $name -}}
{{- if gt (include $measure $request | int) (include $measure . | int) -}}
{{- $problems = append $problems (printf "resources.requests.%s is %s, above its limit of %s: set resources.limits.%s" $name (toString $request) (toString .) $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "winnow.problems.model" -}}
{{- $problems := list -}}
{{- with .Values.model -}}
{{- if and (ne .delivery "image") (not .file) -}}
{{- $problems = append $problems (printf "model.delivery is %s: set model.file to the name of the model file" .delivery) -}}
{{- end -}}
{{- if and (ne .delivery "image") (or (hasPrefix "/" .file) (contains ".." .file)) -}}
{{- $problems = append $problems (printf "model.file %q leaves the volume: set a path within it" .file) -}}
{{- end -}}
{{- if and (eq .delivery "image") .file (not (hasPrefix "/" .file)) -}}
{{- $problems = append $problems (printf "model.file %q is in the image: set its absolute path, or nothing for the shipped model" .file) -}}
{{- end -}}
{{- if and .sha256 (not .file) -}}
{{- $problems = append $problems "model.sha256 checks a file: set model.file" -}}
{{- end -}}
{{- if and (eq .delivery "ociVolume") (not .ociVolume.reference) -}}
{{- $problems = append $problems "model.delivery is ociVolume: set model.ociVolume.reference" -}}
{{- end -}}
{{- if and (eq .delivery "ociVolume") (semverCompare "<1.33.0-0" $.Capabilities.KubeVersion.Version) -}}
{{- $problems = append $problems (printf "Kubernetes %s drops image volumes silently: set model.delivery to claim, initContainer or image" $.Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if and (eq .delivery "claim") (not .claim.existingClaim) -}}
{{- $problems = append $problems "model.delivery is claim: set model.claim.existingClaim" -}}
{{- end -}}
{{- if and (eq .delivery "initContainer") (or (not .initContainer.image) (not (concat .initContainer.command .initContainer.args))) -}}
{{- $problems = append $problems "model.delivery is initContainer: set model.initContainer.image, and its command or args" -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "winnow.problems.secrets" -}}
{{- $problems := list -}}
{{- $redis := include "winnow.redisUrl" . -}}
{{- if regexMatch "(?i)(://.*:.*@|[?&]password=)" $redis -}}
{{- $problems = append $problems "redis.url carries a password in plain text: set redis.existingSecret and redis.passwordKey" -}}
{{- end -}}
{{- if and $redis (not (regexMatch "^(rediss?|unix)(\\+[a-z]+)?://" $redis)) -}}
{{- $problems = append $problems "redis.url has an unknown scheme: set redis://host:6379/0 or rediss://host:6379/0" -}}
{{- end -}}
{{- if and .Values.redis.cacheKey.existingSecret (not $redis) -}}
{{- $problems = append $problems "redis.cacheKey.existingSecret is set but redis.url is empty: set redis.url" -}}
{{- end -}}
{{- if and .Values.redis.existingSecret (not $redis) -}}
{{- $problems = append $problems "redis.existingSecret is set but redis.url is empty: set redis.url" -}}
{{- end -}}
{{- range $where, $variables := dict "extraEnv" .Values.extraEnv "model.initContainer.env" .Values.model.initContainer.env -}}
{{- range $variables -}}
{{- $value := get . "value" | default "" | toString -}}
{{- if and $value (regexMatch "(?i)(PASSWORD|PASSWD|SECRET|TOKEN|CREDENTIAL|PRIVATE_KEY)" .name) (not (hasSuffix "_FILE" .name)) -}}
{{- $problems = append $problems (printf "%s %s carries a secret in plain text: use valueFrom.secretKeyRef, or mount a file" $where .name) -}}
{{- end -}}
{{- if regexMatch "://[^/ ]*:[^/ ]*@" $value -}}
{{- $problems = append $problems (printf "%s %s carries a URL with a password: mount the password as a file" $where .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "winnow.problems.rest" -}}
{{- $problems := list -}}
{{- $name := include "winnow.fullname" . -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- $problems = append $problems (printf "%q is not a valid Kubernetes name: set fullnameOverride to lower-case letters, digits and -" $name) -}}
{{- else if and (eq .Values.kind "StatefulSet") (not (regexMatch "^[a-z]" $name)) -}}
{{- $problems = append $problems (printf "the Service of the StatefulSet cannot be called %q: set fullnameOverride to a name that begins with a letter" $name) -}}
{{- end -}}
{{- if gt (add (int .Values.web.port) (int .Values.worker.processes)) 65536 -}}
{{- $problems = append $problems "process i listens on web.port + i, which is above 65535: lower web.port" -}}
{{- end -}}
{{- $alerts := list -}}
{{- range (.Files.Get "alerts/winnow.yaml" | fromYaml).groups -}}
{{- range .rules -}}
{{- $alerts = append $alerts .alert -}}
{{- end -}}
{{- end -}}
{{- range .Values.metrics.rules.disabled -}}
{{- if not (has . $alerts) -}}
{{- $problems = append $problems (printf "metrics.rules.disabled: unknown alert %s: use names in alerts/winnow.yaml" .) -}}
{{- end -}}
{{- end -}}
{{- range $where := list "podLabels" "commonLabels" -}}
{{- range $label, $_ := get $.Values $where -}}
{{- if has $label (list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component") -}}
{{- $problems = append $problems (printf "%s.%s would hide the pods from the chart's own selectors: set %s without it" $where $label $where) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with .Values.topics -}}
{{- $names := compact (list .pages .documents .stats .dead .doubtful) -}}
{{- if lt (len (uniq $names)) (len $names) -}}
{{- $problems = append $problems "topics.pages, documents, stats, dead and doubtful share a topic: set different names" -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if regexMatch "^WINNOW_(KAFKA_(BOOTSTRAP|SECURITY|SASL_MECHANISM|(USERNAME|PASSWORD|CA|CERT|KEY)_FILE)|GROUP(_INSTANCE)?|TOPIC_(PAGES|DOCUMENTS|STATS|DEAD|DOUBTFUL)|DOUBTFUL_BELOW|REDIS_(URL|PASSWORD_FILE)|CACHE_(KEY_FILE|TTL)|MODEL|ENGINE|OPTIONS|PROCESSES|THREADS|WEB_(HOST|PORT)|DRAIN_SECONDS|LOG_(LEVEL|FORMAT))$" .name -}}
{{- $problems = append $problems (printf "extraEnv %s would contradict a value of the chart: set that value instead" .name) -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}
