{{/* Mounted files: existing secrets, the configuration, the model, and /tmp. */}}

{{- define "winnow.mounts.kafka" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.kafka.sasl.existingSecret }}
- name: kafka-sasl
  mountPath: /etc/winnow/kafka-sasl
  readOnly: true
{{- end }}
{{- if .Values.kafka.tls.existingSecret }}
- name: kafka-tls
  mountPath: /etc/winnow/kafka-tls
  readOnly: true
{{- end }}
{{- end -}}

{{- define "winnow.volumes.kafka" -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ printf "%dMi" (int .Values.tmp.sizeMiB) }}
{{- with .Values.kafka.sasl }}
{{- if .existingSecret }}
- name: kafka-sasl
  secret:
    secretName: {{ .existingSecret | quote }}
    defaultMode: 0440
    items:
      - key: {{ .usernameKey | quote }}
        path: username
      - key: {{ .passwordKey | quote }}
        path: password
{{- end }}
{{- end }}
{{- with .Values.kafka.tls }}
{{- if .existingSecret }}
- name: kafka-tls
  secret:
    secretName: {{ .existingSecret | quote }}
    defaultMode: 0440
    {{- if or .caKey .certKey }}
    items:
      {{- if .caKey }}
      - key: {{ .caKey | quote }}
        path: ca.crt
      {{- end }}
      {{- if .certKey }}
      - key: {{ .certKey | quote }}
        path: tls.crt
      - key: {{ .keyKey | quote }}
        path: tls.key
      {{- end }}
    {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "winnow.usesConfig" -}}
{{- if or .Values.worker.options .Values.model.sha256 -}}true{{- end -}}
{{- end -}}

{{- define "winnow.modelMount" -}}
{{- if ne .Values.model.delivery "image" -}}
- name: model
  mountPath: /models
  readOnly: true
  {{- if and (eq .Values.model.delivery "claim") .Values.model.claim.subPath }}
  subPath: {{ .Values.model.claim.subPath | quote }}
  {{- end }}
{{- end -}}
{{- end -}}

{{- define "winnow.mounts.worker" -}}
{{ include "winnow.mounts.kafka" . }}
{{- if include "winnow.usesConfig" . }}
- name: config
  mountPath: /etc/winnow/config
  readOnly: true
{{- end }}
{{- if .Values.redis.existingSecret }}
- name: redis
  mountPath: /etc/winnow/redis
  readOnly: true
{{- end }}
{{- if .Values.redis.cacheKey.existingSecret }}
- name: cache-key
  mountPath: /etc/winnow/cache-key
  readOnly: true
{{- end }}
{{- with include "winnow.modelMount" . }}
{{ . }}
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ tpl (toYaml .) $ }}
{{- end }}
{{- end -}}

{{- define "winnow.volumes.worker" -}}
{{ include "winnow.volumes.kafka" . }}
{{- if include "winnow.usesConfig" . }}
- name: config
  configMap:
    name: {{ include "winnow.fullname" . | quote }}
{{- end }}
{{- with .Values.redis }}
{{- if .existingSecret }}
- name: redis
  secret:
    secretName: {{ .existingSecret | quote }}
    defaultMode: 0440
    items:
      - key: {{ .passwordKey | quote }}
        path: password
{{- end }}
{{- end }}
{{- with .Values.redis.cacheKey }}
{{- if .existingSecret }}
- name: cache-key
  secret:
    secretName: {{ .existingSecret | quote }}
    defaultMode: 0440
    items:
      - key: {{ .key | quote }}
        path: key
{{- end }}
{{- end }}
{{- with .Values.model }}
{{- if eq .delivery "ociVolume" }}
- name: model
  image:
    reference: {{ .ociVolume.reference | quote }}
    pullPolicy: {{ .ociVolume.pullPolicy }}
{{- else if eq .delivery "claim" }}
- name: model
  persistentVolumeClaim:
    claimName: {{ .claim.existingClaim | quote }}
    readOnly: true
{{- else if eq .delivery "initContainer" }}
- name: model
  emptyDir:
    sizeLimit: {{ printf "%dMi" (add (int .sizeMiB) 16) }}
{{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ tpl (toYaml .) $ }}
{{- end }}
{{- end -}}
