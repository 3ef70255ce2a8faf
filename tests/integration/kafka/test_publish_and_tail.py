"""`winnow publish` and `winnow tail` on the real Kafka."""

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import duckdb
import pytest
from confluent_kafka import Producer

from tests.archives import documents, mixed_archive, record_id
from tests.integration.kafka.conftest import SCRIPT, Deployment, Winnow, held, publish
from winnow.streams.kafka.tuning import Compression
from winnow.streams.pages import Fetched, arrival_from
from winnow.streams.records import Incoming, Outgoing


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Three pages in a folder."""
    (tmp_path / "deep").mkdir()
    for name in ("one.html", "two.htm", "deep/three.html"):
        (tmp_path / name).write_text(f"<p>This is {name}.")
    (tmp_path / "notes.txt").write_text("no page")
    return tmp_path


def test_publish_sends_every_page_below_a_folder_keyed_by_its_url(
    winnow: Winnow, topics: Deployment, site: Path
) -> None:
    result = winnow("publish", str(site), "--url-prefix", "https://example.org/", "--json")

    assert result.exit_code == 0
    assert json.loads(result.output)["published"] == 3
    records = held(topics, topics.names.pages)
    arrived = {record.key: arrival_from(record) for record in records}
    pages = {key: each.page for key, each in arrived.items() if isinstance(each, Fetched)}
    assert pages[b"https://example.org/deep/three.html"].body == b"<p>This is deep/three.html."
    assert {page.url for page in pages.values()} == {
        f"https://example.org/{name}" for name in ("one.html", "two.htm", "deep/three.html")
    }


def test_publish_names_what_it_cannot_read_and_sends_the_rest(
    winnow: Winnow, topics: Deployment, site: Path
) -> None:
    result = winnow("publish", str(site / "missing"), str(site / "one.html"))

    assert result.exit_code == 1
    assert "missing: no such file" in result.output
    assert len(held(topics, topics.names.pages)) == 1


def test_publish_sends_json_lines_as_they_are(winnow: Winnow, topics: Deployment) -> None:
    lines = b'{"url":"https://example.org/a","html":"<p>A"}\n\nno json\n'

    result = winnow("publish", "-", "--input", "jsonl", stdin=lines)

    assert result.exit_code == 0, result.output
    records = {record.value: record.key for record in held(topics, topics.names.pages)}
    assert records == {
        b'{"url":"https://example.org/a","html":"<p>A"}': b"https://example.org/a",
        b"no json": None,
    }


def test_publish_fails_when_the_topic_is_missing(
    winnow: Winnow, deployment: Deployment, site: Path
) -> None:
    result = winnow("publish", str(site / "one.html"))

    assert result.exit_code == 1
    assert "Unknown topic" in result.output


@pytest.mark.parametrize("codec", list(Compression))
def test_a_page_of_five_megabytes_passes_in_every_codec(
    winnow: Winnow, topics: Deployment, tmp_path: Path, codec: Compression
) -> None:
    body = bytes(range(32, 127)) * (5 * 1024 * 1024 // 95)
    (tmp_path / "large.html").write_bytes(body)

    result = winnow("publish", str(tmp_path / "large.html"), "--compression", codec.value)

    assert result.exit_code == 0, result.output
    assert [record.value for record in held(topics, topics.names.pages)] == [body]


def document(number: int, source: int | None = None) -> Outgoing:
    value = json.dumps({"title": f"Title {number}", "text": f"Text {number}"}).encode()
    where = b"pages/0/%d" % (number if source is None else source)
    return Outgoing("", b"https://example.org/%d" % number, value, (("source", where),))


def put(deployment: Deployment, topic: str, *records: Outgoing) -> None:
    publish(deployment, *(Outgoing(topic, r.key, r.value, r.headers) for r in records))


def test_tail_shows_the_last_records_of_all_partitions(winnow: Winnow, topics: Deployment) -> None:
    for number in range(5):
        put(topics, topics.names.documents, document(number))

    result = winnow("tail", "documents", "-n", "3", "--format", "jsonl")

    titles = [json.loads(line)["title"] for line in result.output.splitlines()]
    assert titles == ["Title 2", "Title 3", "Title 4"]


def test_tail_leaves_out_repeated_records(winnow: Winnow, topics: Deployment) -> None:
    put(topics, topics.names.documents, document(1), document(2), document(1), document(2))

    once = winnow("tail", "documents", "--all", "--format", "jsonl")
    twice = winnow("tail", "documents", "--all", "--format", "jsonl", "--repeats")

    assert len(once.output.splitlines()) == 2
    assert len(twice.output.splitlines()) == 4


def test_tail_shows_deletions_only_as_text(winnow: Winnow, topics: Deployment) -> None:
    gone = Outgoing("", b"https://example.org/", None, ())
    for topic in (topics.names.documents, topics.names.stats):
        put(topics, topic, gone)

        text = winnow("tail", topic)
        lines = winnow("tail", topic, "--format", "jsonl")

        assert text.output.strip() == "https://example.org/  deleted"
        assert (lines.exit_code, lines.output) == (0, "")


def test_tail_shows_text_without_control_characters(winnow: Winnow, topics: Deployment) -> None:
    value = json.dumps({"title": "A \x1b[31m red title", "text": "one\ntwo\x07"}).encode()
    put(topics, topics.names.documents, Outgoing("", b"https://example.org/", value, ()))

    stats = json.dumps({"sentences": "\x1b[31m"}).encode()
    put(topics, topics.names.stats, Outgoing("", b"https://example.org/", stats, ()))

    result, of_stats = winnow("tail", "documents"), winnow("tail", "stats")

    assert "\x1b" not in result.output + of_stats.output
    assert "\x07" not in result.output
    assert "one\ntwo" in result.output
    assert "kept None of" in of_stats.output


def test_tail_writes_the_whole_record_of_pages(winnow: Winnow, topics: Deployment) -> None:
    put(topics, topics.names.pages, Outgoing("", b"key", b"\xff\xfe", (("url", b"https://a/"),)))

    result = winnow("tail", "pages", "--format", "jsonl")

    record = json.loads(result.output)
    assert record["key"] == "key"
    assert record["value"] == {"base64": "//4="}
    assert record["headers"] == [["url", "https://a/"]]


def test_tail_says_so_when_there_is_no_such_topic(winnow: Winnow, topics: Deployment) -> None:
    result = winnow("tail", "no-such-topic")

    assert result.exit_code == 2
    assert "no-such-topic" in result.output


def test_tail_follows_until_it_is_interrupted(topics: Deployment) -> None:
    # a shell starts what runs in the background with Ctrl-C ignored, which children inherit
    attentive = ["env", "--default-signal=INT"]
    command = [*attentive, SCRIPT, "tail", "documents", "-f", "--format", "jsonl"]
    follower = subprocess.Popen(
        command, env=topics.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert follower.stdout
    put(topics, topics.names.documents, document(1))
    first = follower.stdout.readline()
    put(topics, topics.names.documents, document(2))
    second = follower.stdout.readline()

    follower.send_signal(signal.SIGINT)
    _, complaint = follower.communicate(timeout=60)

    assert [json.loads(line)["title"] for line in (first, second)] == ["Title 1", "Title 2"]
    assert (follower.returncode, complaint) == (0, "")


def test_tail_skips_records_of_aborted_transactions(winnow: Winnow, topics: Deployment) -> None:
    producer = Producer({"bootstrap.servers": topics.bootstrap, "transactional.id": topics.group})
    producer.init_transactions(30)
    endings = {"kept": producer.commit_transaction, "dropped": producer.abort_transaction}
    for title, end in endings.items():
        producer.begin_transaction()
        producer.produce(topics.names.documents, json.dumps({"title": title}).encode(), b"key")
        producer.flush()
        end(30)

    result = winnow("tail", "documents", "--all", "--format", "jsonl")

    assert [json.loads(line)["title"] for line in result.output.splitlines()] == ["kept"]


def test_records_that_are_read_are_what_was_sent(topics: Deployment) -> None:
    sent = Outgoing(topics.names.pages, b"\x00key", b"", (("a", b"1"), ("a", b"2"), ("b", b"\xff")))

    publish(topics, sent, Outgoing(topics.names.pages, b"gone", None, ()))

    found = {record.key: record for record in held(topics, topics.names.pages)}
    assert isinstance(found[b"\x00key"], Incoming)
    assert found[b"\x00key"].headers == sent.headers
    assert found[b"\x00key"].value == b""
    assert found[b"gone"].value is None


def test_tail_writes_shards_of_documents_and_continues_with_new_ones(
    winnow: Winnow, topics: Deployment, tmp_path: Path
) -> None:
    command = ("tail", "documents", "-o", str(tmp_path / "out"), "--format", "parquet")
    gone = Outgoing("", b"https://example.org/3", None, ())
    put(topics, topics.names.documents, document(1), document(2), document(1), gone)

    first = winnow(*command)
    put(topics, topics.names.documents, document(4))
    second = winnow(*command)

    assert first.output == "2 records in 1 shard, 1 deletion, 1 repeat, 0 errors\n"
    assert second.output == "3 records in 2 shards, 1 deletion, 1 repeat, 0 errors\n"
    table = duckdb.execute(f"select title from '{tmp_path}/out/*.parquet' order by title")
    assert table.fetchall() == [("Title 1",), ("Title 2",), ("Title 4",)]


def test_tail_writes_documents_that_are_chosen_and_one_of_each_copy(
    winnow: Winnow, topics: Deployment, tmp_path: Path
) -> None:
    def chosen(number: int, **fields: object) -> Outgoing:
        url = f"https://example.org/{number}"
        members = {"url": url, "title": f"Title {number}", "language": "en", "simhash": "0" * 16}
        digest = f"blake3:{number % 3:016x}{'0' * 48}"
        value = json.dumps(members | {"text_digest": digest} | fields).encode()
        return Outgoing("", url.encode(), value, (("source", f"pages/0/{number}".encode()),))

    put(topics, topics.names.documents, *map(chosen, (1, 2, 4)), chosen(3, language="de"))
    command = ("tail", "documents", "--language", "en", "--dedup", "exact")
    out = ("-o", str(tmp_path / "out"), "--format", "jsonl")

    first = winnow(*command, *out)
    put(topics, topics.names.documents, chosen(5))
    second = winnow(*command, *out)
    other = winnow("tail", "documents", *out)
    printed = winnow(*command, "--all", "--format", "jsonl")

    assert "2 records in 1 shard" in first.output
    assert "2 documents dropped: 1 copy, 1 language" in first.output
    assert "2 records in 1 shard" in second.output
    assert "3 documents dropped: 2 copy, 1 language" in second.output
    titles = {each["title"] for each in documents(tmp_path / "out")}
    # of copies in two partitions either may be read first
    assert titles in ({"Title 1", "Title 2"}, {"Title 4", "Title 2"})
    assert other.exit_code == 2
    assert "holds documents chosen by --language en --dedup exact" in other.output
    assert printed.output.count("Title") == 2


def test_tail_writes_shards_of_whole_records_and_of_statistics(
    winnow: Winnow, topics: Deployment, tmp_path: Path
) -> None:
    put(topics, topics.names.pages, Outgoing("", b"key", b"\xff\xfe", ()))
    put(topics, topics.names.stats, Outgoing("", b"key", b'{"url": "https://a/"}', ()))

    pages = winnow("tail", "pages", "-o", str(tmp_path / "pages"), "--format", "jsonl")
    stats = winnow("tail", "stats", "-o", str(tmp_path / "stats"), "--format", "parquet")
    refused = winnow("tail", "pages", "-o", str(tmp_path / "none"), "--format", "warc")

    assert (pages.exit_code, stats.exit_code) == (0, 0)
    assert [each["value"] for each in documents(tmp_path / "pages")] == [{"base64": "//4="}]
    table = duckdb.execute(f"select url from '{tmp_path}/stats/*.parquet'")
    assert table.fetchall() == [("https://a/",)]
    assert refused.exit_code == 2
    assert "cannot be written as warc" in refused.output


def test_tail_that_follows_into_shards_keeps_all_when_it_is_interrupted(
    topics: Deployment, tmp_path: Path
) -> None:
    arguments = ["tail", "documents", "-f", "-o", str(tmp_path), "--format", "jsonl"]
    put(topics, topics.names.documents, *(document(number) for number in range(40)))
    follower = subprocess.Popen(
        ["env", "--default-signal=INT", SCRIPT, *arguments, "--shard-size", "0.001"],
        env=topics.environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (tmp_path / "ledger.json").exists():
        assert follower.poll() is None
        time.sleep(0.05)

    follower.send_signal(signal.SIGINT)
    said, _ = follower.communicate(timeout=60)

    kept = [each["title"] for each in documents(tmp_path)]
    assert follower.returncode == 0
    assert said.startswith(f"{len(kept)} records in ")
    again = subprocess.run(
        [SCRIPT, *arguments[:2], *arguments[3:]], env=topics.environment, check=True
    )
    assert again.returncode == 0
    titles = sorted(each["title"] for each in documents(tmp_path))
    assert titles == sorted(f"Title {number}" for number in range(40))


@pytest.mark.timeout(180)
def test_publish_that_is_killed_skips_no_page(topics: Deployment, tmp_path: Path) -> None:
    content, ids = mixed_archive(f"<p>Page {number}".encode() for number in range(3000))
    archive, ledger = tmp_path / "a.warc.gz", tmp_path / "ledger.json"
    archive.write_bytes(content)
    arguments = [SCRIPT, "publish", str(archive), "--ledger", str(ledger), "--rate", "300"]
    places = random.Random(34)

    stored = [0]
    for _ in range(5):
        run = subprocess.Popen(
            arguments, env=topics.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while not ledger.exists() or json.loads(ledger.read_bytes())["stored"] <= stored[-1]:
            assert run.poll() is None
            time.sleep(0.02)
        time.sleep(places.random() / 2)
        run.kill()
        run.wait()
        stored.append(json.loads(ledger.read_bytes())["stored"])
    last = subprocess.run(arguments[:-2], env=topics.environment, check=False, capture_output=True)

    assert last.returncode == 1  # damaged records
    assert b"continuing after" in last.stderr
    assert json.loads(ledger.read_bytes())["is_complete"]
    records = held(topics, topics.names.pages)
    numbers = {int((record.key or b"").rsplit(b"/", 1)[1]) for record in records}
    assert {record_id(number) for number in numbers} == set(ids)
    repeats = len(records) - len(ids)
    assert repeats < 5 * 1000  # what a second or so of pages can be
