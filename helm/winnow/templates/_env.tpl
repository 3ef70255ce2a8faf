{{/* The worker's settings as environment variables. Secrets never appear here: only the paths of mounted files. */}}

{{- define "winnow.env.kafka" -}}
- name: WINNOW_KAFKA_BOOTSTRAP
  value: {{ include "winnow.kafkaBootstrap" . | quote }}
- name: WINNOW_KAFKA_SECURITY
  value: {{ .Values.kafka.security | quote }}
{{- if include "winnow.usesSasl" . }}
- name: WINNOW_KAFKA_SASL_MECHANISM
  value: {{ .Values.kafka.sasl.mechanism | quote }}
- name: WINNOW_KAFKA_USERNAME_FILE
  value: /etc/winnow/kafka-sasl/username
- name: WINNOW_KAFKA_PASSWORD_FILE
  value: /etc/winnow/kafka-sasl/password
{{- end }}
{{- with .Values.kafka.tls }}
{{- if .existingSecret }}
{{- if .caKey }}
- name: WINNOW_KAFKA_CA_FILE
  value: /etc/winnow/kafka-tls/ca.crt
{{- end }}
{{- if .certKey }}
- name: WINNOW_KAFKA_CERT_FILE
  value: /etc/winnow/kafka-tls/tls.crt
- name: WINNOW_KAFKA_KEY_FILE
  value: /etc/winnow/kafka-tls/tls.key
{{- end }}
{{- end }}
{{- end }}
- name: WINNOW_TOPIC_PAGES
  value: {{ .Values.topics.pages | quote }}
- name: WINNOW_TOPIC_DOCUMENTS
  value: {{ .Values.topics.documents | quote }}
- name: WINNOW_TOPIC_STATS
  value: {{ .Values.topics.stats | quote }}
- name: WINNOW_TOPIC_DEAD
  value: {{ .Values.topics.dead | quote }}
{{- if .Values.topics.doubtful }}
- name: WINNOW_TOPIC_DOUBTFUL
  value: {{ .Values.topics.doubtful | quote }}
- name: WINNOW_DOUBTFUL_BELOW
  value: {{ .Values.topics.doubtfulBelow | quote }}
{{- end }}
- name: WINNOW_LOG_LEVEL
  value: {{ .Values.worker.logLevel | quote }}
- name: WINNOW_LOG_FORMAT
  value: {{ .Values.worker.logFormat | quote }}
{{- end -}}

{{- define "winnow.env.worker" -}}
{{ include "winnow.env.kafka" . }}
- name: WINNOW_GROUP
  value: {{ .Values.kafka.group | quote }}
{{- if .Values.kafka.staticMembership }}
- name: WINNOW_GROUP_INSTANCE
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
{{- end }}
- name: WINNOW_PROCESSES
  value: {{ .Values.worker.processes | quote }}
- name: WINNOW_THREADS
  value: {{ .Values.worker.threads | quote }}
- name: WINNOW_DRAIN_SECONDS
  value: {{ .Values.worker.drainSeconds | quote }}
- name: WINNOW_WEB_HOST
  value: {{ .Values.web.host | quote }}
- name: WINNOW_WEB_PORT
  value: {{ .Values.web.port | quote }}
{{- with .Values.worker.engine }}
- name: WINNOW_ENGINE
  value: {{ . | quote }}
{{- end }}
{{- if .Values.worker.options }}
- name: WINNOW_OPTIONS
  value: /etc/winnow/config/options.json
{{- end }}
{{- with include "winnow.modelPath" . }}
- name: WINNOW_MODEL
  value: {{ . | quote }}
{{- end }}
{{- with include "winnow.redisUrl" . }}
- name: WINNOW_REDIS_URL
  value: {{ . | quote }}
- name: WINNOW_CACHE_TTL
  value: {{ int $.Values.redis.cacheTtlSeconds | quote }}
{{- if $.Values.redis.existingSecret }}
- name: WINNOW_REDIS_PASSWORD_FILE
  value: /etc/winnow/redis/password
{{- end }}
{{- if $.Values.redis.cacheKey.existingSecret }}
- name: WINNOW_CACHE_KEY_FILE
  value: /etc/winnow/cache-key/key
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ tpl (toYaml .) $ }}
{{- end }}
{{- end -}}
