{{/* The pod that creates the topics. It runs before the chart's ServiceAccount exists, so it uses the default one. */}}

{{- define "winnow.topicsPod" -}}
metadata:
  labels:
    {{- include "winnow.componentLabels" (list . "topics") | nindent 4 }}
    {{- with merge (deepCopy .Values.podLabels) .Values.commonLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- include "winnow.podBasics" . | nindent 2 }}
  restartPolicy: Never
  containers:
    - name: topics
      image: {{ include "winnow.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args:
        - topics
        - create
        - --partitions={{ .Values.topics.partitions }}
        - --replication={{ .Values.topics.create.replication }}
        {{- if .Values.topics.create.grow }}
        - --grow
        {{- end }}
      env:
        {{- include "winnow.env.kafka" . | nindent 8 }}
      {{- include "winnow.smallContainerBasics" . | nindent 6 }}
      volumeMounts:
        {{- include "winnow.mounts.kafka" . | nindent 8 }}
  volumes:
    {{- include "winnow.volumes.kafka" . | nindent 4 }}
{{- end -}}

{{/* For containers without a model. */}}
{{- define "winnow.smallContainerBasics" -}}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
resources:
  requests:
    cpu: 100m
    memory: 256Mi
    ephemeral-storage: 64Mi
  limits:
    memory: 256Mi
    ephemeral-storage: {{ printf "%dMi" (add (int .Values.tmp.sizeMiB) 64) }}
terminationMessagePolicy: FallbackToLogsOnError
{{- end -}}
