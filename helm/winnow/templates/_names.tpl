{{/* Names, labels and the image. */}}

{{- define "winnow.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* At most 52 characters, so that a suffix still fits into a label; without dots, which a Service name cannot have. */}}
{{- define "winnow.fullname" -}}
{{- $name := include "winnow.name" . -}}
{{- $own := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $own .Values.fullnameOverride | replace "." "-" | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "winnow.selectorLabels" -}}
app.kubernetes.io/name: {{ include "winnow.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* Labels of every object; the argument of winnow.componentLabels is (list . "worker"). */}}
{{- define "winnow.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "winnow.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "winnow.componentLabels" -}}
{{ include "winnow.selectorLabels" (first .) }}
app.kubernetes.io/component: {{ last . }}
{{- end -}}

{{- define "winnow.metadata" -}}
{{ include "winnow.labelledMetadata" (list . dict) }}
{{- end -}}

{{/* The same labels, and labels of this object: (list . labels). */}}
{{- define "winnow.labelledMetadata" -}}
{{- with first . -}}
name: {{ include "winnow.fullname" . | quote }}
namespace: {{ .Release.Namespace | quote }}
labels:
  {{- include "winnow.labels" . | nindent 2 }}
  {{- with last $ }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "winnow.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "winnow.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "winnow.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}
