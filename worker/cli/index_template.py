"""`winnow index-template`: the fields of documents for Elasticsearch and OpenSearch."""

import click
import orjson

from winnow.streams.operator.index_template import ANALYZERS, IndexEngine, index_template


@click.command("index-template")
@click.option(
    "--engine",
    type=click.Choice([each.value for each in IndexEngine]),
    required=True,
    help="Whose types the template names.",
)
@click.option(
    "--language",
    "languages",
    type=click.Choice(list(ANALYZERS)),
    multiple=True,
    metavar="CODE",
    help="Give title, description and text a sub-field for this language, such as text.de; may be "
    "repeated. Each makes the index larger, also for pages in other languages.",
)
def command(*, engine: str, languages: tuple[str, ...]) -> None:
    """Print the fields of documents for search engines.

    The index template is made from the schema of documents. It is the body of PUT
    _index_template/winnow-documents, for indexes called winnow-documents-1
    and so on, whose alias is winnow-documents.
    """
    template = index_template(IndexEngine(engine), languages)
    click.echo(orjson.dumps(template, option=orjson.OPT_INDENT_2))
