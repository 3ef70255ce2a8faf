{{/* The pod of the worker, the same in a Deployment and in a StatefulSet. */}}

{{- define "winnow.podTemplate" -}}
metadata:
  labels:
    {{- include "winnow.componentLabels" (list . "worker") | nindent 4 }}
    {{- with merge (deepCopy .Values.podLabels) .Values.commonLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    kubectl.kubernetes.io/default-container: worker
    {{- if include "winnow.usesConfig" . }}
    checksum/config: {{ include "winnow.config" . | sha256sum }}
    {{- end }}
    {{- with .Values.podAnnotations }}
    {{- tpl (toYaml .) $ | nindent 4 }}
    {{- end }}
spec:
  {{- include "winnow.podBasics" . | nindent 2 }}
  serviceAccountName: {{ include "winnow.serviceAccountName" . | quote }}
  terminationGracePeriodSeconds: {{ include "winnow.graceSeconds" . }}
  {{- with include "winnow.placement" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with include "winnow.initContainers" . | trim }}
  initContainers:
    {{- . | nindent 4 }}
  {{- end }}
  containers:
    {{- include "winnow.workerContainer" . | nindent 4 }}
    {{- with .Values.extraContainers }}
    {{- tpl (toYaml .) $ | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "winnow.volumes.worker" . | nindent 4 }}
{{- end -}}

{{/* Common settings of all pods: no token, no service links, the restricted profile. */}}
{{- define "winnow.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.runtimeClassName }}
runtimeClassName: {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "winnow.placement" -}}
{{- with .Values.affinity }}
affinity:
  {{- tpl (toYaml .) $ | nindent 2 }}
{{- end }}
{{- if .Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- tpl (toYaml .Values.topologySpreadConstraints) . | nindent 2 }}
{{- else if .Values.topologySpread }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "winnow.componentLabels" (list $ "worker") | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "winnow.initContainers" -}}
{{- if eq .Values.model.delivery "initContainer" -}}
- name: fetch-model
  image: {{ .Values.model.initContainer.image | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  {{- with .Values.model.initContainer.command }}
  command: {{ toJson . }}
  {{- end }}
  {{- with .Values.model.initContainer.args }}
  args: {{ toJson . }}
  {{- end }}
  {{- with .Values.model.initContainer.env }}
  env:
    {{- tpl (toYaml .) $ | nindent 4 }}
  {{- end }}
  {{- with .Values.model.initContainer.envFrom }}
  envFrom:
    {{- tpl (toYaml .) $ | nindent 4 }}
  {{- end }}
  {{- include "winnow.containerBasics" . | nindent 2 }}
  volumeMounts:
    - name: tmp
      mountPath: /tmp
    - name: model
      mountPath: /models
{{ end -}}
{{- if .Values.model.sha256 -}}
- name: verify-model
  image: {{ include "winnow.image" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [sha256sum, --check, --strict, /etc/winnow/config/model.sha256]
  {{- include "winnow.containerBasics" . | nindent 2 }}
  volumeMounts:
    - name: config
      mountPath: /etc/winnow/config
      readOnly: true
    {{- with include "winnow.modelMount" . }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end -}}
{{- end -}}

{{- define "winnow.containerBasics" -}}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
resources:
  {{- include "winnow.resources" . | nindent 2 }}
terminationMessagePolicy: FallbackToLogsOnError
{{- end -}}

{{- define "winnow.workerContainer" -}}
- name: worker
  image: {{ include "winnow.image" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args: [worker]
  env:
    {{- include "winnow.env.worker" . | nindent 4 }}
  {{- with .Values.extraEnvFrom }}
  envFrom:
    {{- tpl (toYaml .) $ | nindent 4 }}
  {{- end }}
  ports:
    {{- range $process := until (int .Values.worker.processes) }}
    - name: web-{{ $process }}
      containerPort: {{ add (int $.Values.web.port) $process }}
      protocol: TCP
    {{- end }}
  startupProbe:
    {{- include "winnow.probe" (dict "root" . "path" "livez" "timing" .Values.probes.startup "failures" (include "winnow.startupFailures" .)) | nindent 4 }}
  livenessProbe:
    {{- include "winnow.probe" (dict "root" . "path" "livez" "timing" .Values.probes.liveness "failures" .Values.probes.liveness.failureThreshold) | nindent 4 }}
  readinessProbe:
    {{- include "winnow.probe" (dict "root" . "path" "readyz" "timing" .Values.probes.readiness "failures" .Values.probes.readiness.failureThreshold) | nindent 4 }}
  {{- include "winnow.containerBasics" . | nindent 2 }}
  volumeMounts:
    {{- include "winnow.mounts.worker" . | nindent 4 }}
{{- end -}}

{{/* One process: an HTTP probe. Several: a command of the image probes each, because an HTTP probe has one port. */}}
{{- define "winnow.probe" -}}
{{- if gt (int .root.Values.worker.processes) 1 -}}
exec:
  command: [/app/probe, {{ .path }}]
{{- else -}}
httpGet:
  path: /{{ .path }}
  port: web-0
{{- end }}
periodSeconds: {{ .timing.periodSeconds }}
timeoutSeconds: {{ .timing.timeoutSeconds }}
failureThreshold: {{ .failures }}
{{- end -}}
