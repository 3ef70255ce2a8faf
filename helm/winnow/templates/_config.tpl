{{/* Files that the worker and its init container read; their checksum restarts the pods when they change. */}}

{{- define "winnow.config" -}}
{{- with .Values.worker.options }}
options.json: |
  {{ toJson . }}
{{- end }}
{{- if .Values.model.sha256 }}
model.sha256: |
  {{ .Values.model.sha256 }}  {{ include "winnow.modelPath" . }}
{{- end }}
{{- end -}}
