"""Bytes of any charset to the right text."""

import unicodedata
from typing import Literal

import pytest

import winnow
from winnow.models.document import Page
from winnow.models.page import blocks_of, decode

GREEK = "Η Βουλή των Ελλήνων ψήφισε χθες το νομοσχέδιο για την παιδεία, όπως ανακοινώθηκε."
RUSSIAN = "Вчера в Москве прошло заседание правительства, на котором обсуждали бюджет страны."
POLISH = "Wczoraj w Łodzi odbyło się późne posiedzenie rady, która zajęła się też jakością dróg."
CHINESE_SIMPLE = "昨天在北京举行的会议上,代表们讨论了经济发展和环境保护的问题。"
CHINESE = "昨天在臺北舉行的會議上,代表們討論了經濟發展和環境保護的問題。"
JAPANESE = "昨日、東京で開かれた会議で、代表者たちは経済の発展について話し合いました。"
KOREAN = "어제 서울에서 열린 회의에서 대표들은 경제 발전과 환경 보호 문제를 논의했다."
FRENCH = "Hier, à Paris, les députés ont débattu du budget de l’État, déjà voté à l’été."

CASES = [
    (GREEK, "iso-8859-7"),
    (GREEK, "windows-1253"),
    (RUSSIAN, "windows-1251"),
    (RUSSIAN, "koi8-r"),
    (POLISH, "iso-8859-2"),
    (POLISH, "windows-1250"),
    (CHINESE_SIMPLE, "gb18030"),
    (CHINESE, "big5"),
    (JAPANESE, "shift_jis"),
    (JAPANESE, "euc-jp"),
    (JAPANESE, "iso-2022-jp"),
    (KOREAN, "euc-kr"),
    (FRENCH, "windows-1252"),
]


def _text_of(body: bytes, content_type: str = "") -> tuple[str, str]:
    page = blocks_of(Page("", body, content_type))
    return page.text.strip(), page.charset


@pytest.mark.parametrize(("text", "charset"), CASES)
def test_decode_decodes_by_the_header_when_it_is_right(text: str, charset: str) -> None:
    found = _text_of(f"<p>{text}".encode(charset), f"text/html; charset={charset}")

    assert found == (text, charset)


@pytest.mark.parametrize(("text", "charset"), CASES)
@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="{}">',
        "<meta charset={}>",
        "<!-- <meta charset=utf-8> --><script>'<meta charset=utf-8>'</script><META CharSet='{}'>",
        '<meta http-equiv="Content-Type" content="text/html; charset={}">',
        '<?xml version="1.0" encoding="{}"?><html>',
    ],
)
def test_decode_decodes_by_the_markup_when_the_header_says_nothing(
    text: str, charset: str, head: str
) -> None:
    found = _text_of(f"{head.format(charset)}<body><p>{text}".encode(charset))

    assert found == (text, charset)


@pytest.mark.parametrize(("text", "charset"), CASES)
@pytest.mark.parametrize("label", ["", "utf-8", "no-such-charset", "utf-16"])
def test_decode_detects_the_charset_when_the_label_is_wrong(
    text: str, charset: str, label: str
) -> None:
    body = f"<meta charset={label}><p>{text}".encode(charset)

    found, _ = _text_of(body, f"text/html; charset={label}")

    assert found == text


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1251", "gb2312", "shift_jis"])
def test_decode_takes_strict_utf8_before_any_label(label: str) -> None:
    body = f"<meta charset={label}><p>{GREEK}".encode()

    assert _text_of(body, f"text/html; charset={label}") == (GREEK, "utf-8")


@pytest.mark.parametrize(
    ("codec", "charset"),
    [
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16le"),
        ("utf-16-le", "utf-16le"),
        ("utf-16-be", "utf-16be"),
    ],
)
def test_decode_knows_marks_and_utf16(codec: str, charset: str) -> None:
    body = f"<html><head><title>A title</title></head><body><p>Text and more, {POLISH}".encode(
        codec
    )

    assert _text_of(body, "text/html; charset=iso-8859-1") == (f"Text and more, {POLISH}", charset)


@pytest.mark.parametrize("label", ["", "; charset=utf-16"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_decode_knows_utf16_of_ascii_alone(codec: str, label: str) -> None:
    body = "<html><head><title>A title</title></head><body><p>Plain words".encode(codec)

    charset = {"utf-16-le": "utf-16le", "utf-16-be": "utf-16be"}[codec]
    assert _text_of(body, f"text/html{label}") == ("Plain words", charset)


@pytest.mark.parametrize("text", [GREEK, "港口在风暴之后重建"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_decode_knows_utf16_that_begins_with_a_tag(codec: str, text: str) -> None:
    body = f"<html><head><title>T</title></head><body><p>{text * 5}".encode(codec)

    charset = {"utf-16-le": "utf-16le", "utf-16-be": "utf-16be"}[codec]
    assert _text_of(body) == (text * 5, charset)


def test_decode_keeps_utf8_with_a_stray_nul() -> None:
    assert _text_of(f"<\0p>{GREEK}".encode())[1] == "utf-8"
    assert _text_of(f"<p>\0{GREEK}".encode()) == (GREEK, "utf-8")


def test_decode_keeps_utf8_with_an_escape_sequence_of_japanese() -> None:
    assert _text_of(f"<p>\x1b(B{GREEK}".encode()) == (f"(B{GREEK}", "utf-8")


def test_decode_does_not_take_latin_1_for_the_charset_of_words_beyond_ascii() -> None:
    found, _ = _text_of(f"<p>{GREEK}".encode("iso-8859-7"), "text/html; charset=iso-8859-1")

    assert found == GREEK


@pytest.mark.parametrize("label", ["", "; charset=iso-8859-2"])
def test_decode_keeps_utf8_when_a_few_bytes_are_damaged(label: str) -> None:
    body = f"<p>{GREEK * 5}".encode() + b" \xff end"

    text, charset = _text_of(body, f"text/html{label}")

    assert charset == "utf-8"
    assert text == f"{GREEK * 5} \N{REPLACEMENT CHARACTER} end"


def test_decode_decodes_by_the_label_when_a_few_bytes_are_damaged() -> None:
    text = CHINESE_SIMPLE * 5
    body = f"<p>{text}".encode("gb18030") + b" \xff end"

    assert _text_of(body, "text/html; charset=gb18030") == (
        f"{text} \N{REPLACEMENT CHARACTER} end",
        "gb18030",
    )


def test_decode_hands_the_body_through_when_it_is_utf8_already() -> None:
    body = f"<p>{GREEK}".encode()

    assert decode(Page("", body)).markup is body


CZECH = "Včera se v Praze sešla městská rada, která řešila také špatný stav silnic a chodníků."
HUNGARIAN = (
    "A városi tanács későig ülésezett, és az utak állapotáról is döntött, őszintén, fűtötten."
)
TURKISH = (
    "Dün şehir meclisi geç saatlere kadar toplandı ve yolların kötü durumunu da görüştü, ığdır."
)
LITHUANIAN = (
    "Vakar mieste įvyko vėlyvas tarybos posėdis, kuriame aptarta ir prasta kelių būklė, žąsys."
)
ARABIC = "اجتمع مجلس المدينة أمس في وقت متأخر وناقش أيضا سوء حال الطرق."
HEBREW = "מועצת העיר התכנסה אמש עד שעה מאוחרת ודנה גם במצבן הרע של הדרכים."
THAI = "สภาเมืองประชุมกันเมื่อวานจนดึกและพูดคุยเรื่องสภาพถนนที่ไม่ดีด้วย"
STYLES = (
    "<style>"
    + ".navigation-item a:hover{color:#336699;padding:10px 20px}\n" * 200
    + "</style><script>"
    + "var trackingEnabled = window.location.hash; // note\n" * 100
    + "</script><!-- "
    + "a comment of plain letters " * 100
    + "-->"
)
BY_LANGUAGE = [
    ("pl", POLISH, "windows-1250"),
    ("pl", POLISH, "iso-8859-2"),
    ("cs", CZECH, "windows-1250"),
    ("cs", CZECH, "iso-8859-2"),
    ("hu", HUNGARIAN, "windows-1250"),
    ("tr", TURKISH, "windows-1254"),
    ("lt", LITHUANIAN, "windows-1257"),
    ("ru", RUSSIAN, "windows-1251"),
    ("ru", RUSSIAN, "koi8-r"),
    ("ru", RUSSIAN, "iso-8859-5"),
    ("ru", RUSSIAN, "ibm866"),
    ("el", GREEK, "windows-1253"),
    ("ar", ARABIC, "windows-1256"),
    ("he", HEBREW, "windows-1255"),
    ("th", THAI, "windows-874"),
    ("fr", FRENCH, "windows-1252"),
]
CODECS = {"windows-874": "cp874", "ibm866": "cp866"}


def _page_of(
    text: str, charset: str, *, lang: str = "", label: str = "", styles: str = ""
) -> bytes:
    declared = f' lang="{lang}"' if lang else ""
    meta = f"<meta charset={label}>" if label else ""
    page = f"<!doctype html><html{declared}><head>{meta}{styles}</head><body><p>{text}</p>"
    return page.encode(CODECS.get(charset, charset))


@pytest.mark.parametrize("styles", ["", STYLES], ids=["short", "styles"])
@pytest.mark.parametrize(("lang", "text", "charset"), BY_LANGUAGE)
def test_decode_detects_a_charset_by_text_alone(
    lang: str, text: str, charset: str, styles: str
) -> None:
    for stated in (lang, "", "en"):
        found, _ = _text_of(_page_of(f"{text} {text}", charset, lang=stated, styles=styles))

        assert found == f"{text} {text}", stated


@pytest.mark.parametrize("styles", ["", STYLES], ids=["short", "styles"])
@pytest.mark.parametrize("label", ["iso-8859-1", "utf-8", "us-ascii", "no-such-charset"])
@pytest.mark.parametrize(("lang", "text", "charset"), BY_LANGUAGE)
def test_decode_does_not_take_a_default_label_in_languages_that_need_other_letters(
    lang: str, text: str, charset: str, label: str, styles: str
) -> None:
    found, _ = _text_of(_page_of(f"{text} {text}", charset, lang=lang, label=label, styles=styles))

    assert found == f"{text} {text}"


@pytest.mark.parametrize(
    ("text", "charset", "label"),
    [
        (POLISH, "iso-8859-2", "windows-1252"),
        (POLISH, "windows-1250", "windows-1252"),
        (POLISH, "windows-1250", "iso-8859-2"),
        (POLISH, "iso-8859-2", "windows-1250"),
        (RUSSIAN, "koi8-r", "windows-1251"),
        (RUSSIAN, "windows-1251", "koi8-r"),
    ],
)
def test_decode_does_not_take_a_label_that_puts_signs_or_capitals_into_words(
    text: str, charset: str, label: str
) -> None:
    found, _ = _text_of(_page_of(f"{text} {text}", charset, label=label))

    assert found == f"{text} {text}"


JAPANESE = "北の島へ行く船は、毎日二回、古い桟橋から出ます。朝の甲板はたいてい半分空いています。"
SIMPLIFIED = "开往北岛的渡船每天两次从旧码头出发，早晨甲板上多半空着一半，船员不查票。"
TRADITIONAL = "開往北島的渡船每天兩次從舊碼頭出發，早晨甲板上多半空著一半，船員不查票。"
KOREAN = "북쪽 섬으로 가는 배는 하루에 두 번 오래된 부두에서 떠나며, 아침에는 갑판이 비어 있다."
EAST_ASIAN = {
    "euc-jp": JAPANESE,
    "shift_jis": JAPANESE,
    "gbk": SIMPLIFIED,
    "big5": TRADITIONAL,
    "euc-kr": KOREAN,
}


@pytest.mark.parametrize(
    ("charset", "label"),
    [
        ("euc-jp", "shift_jis"),
        ("euc-jp", "big5"),
        ("shift_jis", "euc-jp"),
        ("shift_jis", "gb2312"),
        ("shift_jis", "big5"),
        ("gbk", "big5"),
        ("gbk", "shift_jis"),
        ("gbk", "euc-jp"),
        ("big5", "gb2312"),
        ("big5", "gb18030"),
        ("big5", "shift_jis"),
        ("euc-kr", "gb2312"),
        ("euc-kr", "big5"),
        ("euc-kr", "shift_jis"),
    ],
)
def test_decode_does_not_take_a_label_that_makes_usual_characters_rare(
    charset: str, label: str
) -> None:
    text = f"{EAST_ASIAN[charset]} {EAST_ASIAN[charset]}"

    assert _text_of(_page_of(text, charset, label=label))[0] == text


@pytest.mark.parametrize("text", ["新闻", "北京、上海", "論文一覧", "東京都 千代田区"])
@pytest.mark.parametrize("label", ["shift_jis", "gb2312", "gb18030"])
def test_decode_accepts_a_right_label_of_few_characters(text: str, label: str) -> None:
    if text.encode(label, "ignore").decode(label) == text:
        assert _text_of(_page_of(text, label, label=label))[0] == text


@pytest.mark.parametrize("lang", ["", "fr", "pl", "tr", "lt"])
def test_decode_accepts_a_right_label_in_any_language(lang: str) -> None:
    body = _page_of(FRENCH, "windows-1252", lang=lang, label="iso-8859-1", styles=STYLES)

    assert _text_of(body) == (FRENCH, "windows-1252")


@pytest.mark.parametrize("before", [5_000, 20_000, 300_000])
@pytest.mark.parametrize("element", ["style", "script", "!--"])
def test_decode_takes_a_label_anywhere_in_the_head(element: str, before: int) -> None:
    begin, end = ("<!--", "-->") if element == "!--" else (f"<{element}>", f"</{element}>")
    late = f"{begin}{'a b ' * (before // 4)}{end}<meta charset=macintosh>"
    body = _page_of(FRENCH.replace("’", "'"), "mac-roman", styles=late)

    assert _text_of(body) == (FRENCH.replace("’", "'"), "macintosh")


@pytest.mark.parametrize("end", ["</head>", "<body>"])
def test_decode_takes_no_label_from_the_middle_of_a_page(end: str) -> None:
    body = f"<head>{STYLES}{end}<p>{RUSSIAN}<meta charset=windows-1252>".encode("windows-1251")

    assert _text_of(body) == (RUSSIAN, "windows-1251")


@pytest.mark.parametrize("label", ["", "iso-8859-1", "windows-1252"])
def test_an_estonian_page_has_no_icelandic_letters(label: str) -> None:
    text = "Žürii sõi šokolaadi, jõi tšillikastmega teed ja käis öösel mööda väikest žanrimuuseumi."
    body = _page_of(f"{text} {text}", "windows-1257", lang="et", label=label)

    assert _text_of(body) == (f"{text} {text}", "windows-1257")


@pytest.mark.parametrize("charset", ["windows-1250", "iso-8859-2"])
def test_a_hungarian_page_has_no_portuguese_letters(charset: str) -> None:
    text = "A komp kétszer indul a régi mólóról; többnyire üres, az őszi viharok törték szét."

    assert _text_of(_page_of(f"{text} {text}", charset))[0] == f"{text} {text}"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    "text", [FRENCH, POLISH, CZECH, "Пчёлы и ёжик, мой й", "ガラスとパン", "Việt Nam"]
)
def test_texts_and_titles_are_composed(text: str, form: Literal["NFC", "NFD"]) -> None:
    written = unicodedata.normalize(form, text)
    body = f"<title>{written}</title><h1>{written}</h1><p>{written} <b>{written}</b> {written}</p>"

    document = winnow.clean(body, url="https://a.invalid/")

    assert document.title == text
    assert text in document.text
    assert unicodedata.is_normalized("NFC", document.text + document.title)


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("Příští týden se pojede častěji, protože přijíždějí žáci ze škol u moře.", "windows-1250"),
        (
            "Kışın rüzgâr dinene kadar bekler, çünkü iskelenin sığınağı yoktur şimdi.",
            "windows-1254",
        ),
        ("Žiemą laivas laukia uoste, kol nurims vėjas, nes čia pūčia iš šiaurės.", "windows-1257"),
        ("Ziemā kuģis gaida ostā, līdz vējš norimst, jo šeit nav aizvēja ūdenī.", "windows-1257"),
    ],
)
@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1252"])
def test_a_western_label_is_not_believed_for_letters_that_are_not_western(
    text: str, charset: str, label: str
) -> None:
    body = f"<meta charset={label}><p>{text}".encode(charset)

    assert _text_of(body)[0] == text


@pytest.mark.parametrize(
    "text",
    [
        "Í vetur bíður skipið í höfninni þar til vindinn lægir, því þar er ekkert skjól nú.",
        "Skibet går på øen når vinden løjer af; så må æbler på båden være sødere på søen.",
        "São opções, canções, atenção à língua; é só informação e pão também lá, já não.",
        FRENCH,
    ],
)
def test_a_western_label_is_believed_for_western_letters(text: str) -> None:
    body = f"<meta charset=iso-8859-1><p>{text}".encode("windows-1252")

    assert _text_of(body) == (text, "windows-1252")


@pytest.mark.parametrize("program", ["windows-1252", "iso-8859-1"])
@pytest.mark.parametrize("text", [FRENCH, GREEK, RUSSIAN, CHINESE, "It’s a café, 20 °C 😀"])
def test_a_page_that_was_encoded_twice_is_read_once(text: str, program: str) -> None:
    page = f"<title>{text}</title><p>{text}</p>".encode()
    # windows-1252 has no characters for five bytes: programs take them for controls
    taken = "".join(bytes([byte]).decode(program, "ignore") or chr(byte) for byte in page)

    document = winnow.clean(taken, url="https://a.example/")

    assert (document.title, document.text) == (text, text)


def test_a_page_that_was_escaped_twice_is_read_once() -> None:
    title = "<title>Fish &amp;amp; chips</title>"
    page = f"{title}<p>The captain&amp;#39;s dinner&amp;nbsp;is <b>on</b>.</p>"

    document = winnow.clean(page, url="https://a.example/")

    assert (document.title, document.text) == ("Fish & chips", "The captain's dinner is on.")
