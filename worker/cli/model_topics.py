"""Messages of a topic of documents, for `winnow model train --documents TOPIC`."""

from collections.abc import Iterator, Mapping
from typing import Any

from winnow.lab.train.language.training import Stages
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.repeats import RepeatFilter
from winnow.worker.cli.operating import environment_settings, failures
from winnow.worker.cli.tail import topic_name
from winnow.worker.printed_records import parsed


def messages_of(name: str, stages: Stages) -> Iterator[Mapping[str, Any]]:
    """Yield each document of a topic once, and tell `stages` how many bytes were read.

    Raises:
        CannotStart: the brokers do not answer, or there is no such topic.
    """
    settings = environment_settings()
    topic = topic_name(name, settings.topics())
    seen = RepeatFilter()
    stages.begin(f"reading {topic}", 0)
    group = f"{settings.group}.train"
    with failures(), TopicReader(settings.connection(), group) as reader:
        for stored in reader.read(topic, reader.spans(topic)):
            record = stored.record
            stages.advance(len(record.value or b""))
            if record.value and not seen.is_repeat(topic, record.header("source")):
                yield parsed(record.value)
