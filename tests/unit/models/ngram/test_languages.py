"""The declared or the detected model judges a page, if it fits."""

import math
from pathlib import Path
from uuid import UUID

import pytest

from winnow.models import Cleaner, CleanerOptions, ModelError, Page
from winnow.models.document import Document
from winnow.models.engines.choice import ENGINES
from winnow.models.engines.perplexity import FROM_HELD_OUT
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.ngram.languages import SHIPPED
from winnow.models.ngram.model import DATA

PROSE = {
    "en": "The bees find more flowers in the city than in the fields around it.",
    "el": "Ύστερα από σαράντα χρόνια το παλιό ελαιοτριβείο του χωριού άνοιξε τις πόρτες του.",
    "pl": "Po dwóch latach remontu na ulice miasta wrócił tramwaj z drewnianymi ławkami.",
    "ru": "Каждую среду в деревню у реки приезжает старый автобус с книжными полками.",
    "zh": "河边那座有一百年历史的老茶馆，经过两年的修缮，昨天上午重新开张。",
}
SMALL = {
    "ar": "يجد النحل في المدينة أزهارا أكثر مما يجده في الحقول المحيطة بها كل ربيع.",
    "bg": "Пчелите намират в града повече цветя, отколкото в полята около него всяка пролет.",
    "ca": "Les abelles troben a la ciutat més flors que als camps que l'envolten cada primavera.",
    "cs": "Včely nacházejí ve městě více květů než na polích kolem něj každé jaro.",
    "da": "Bierne finder flere blomster i byen end på markerne omkring den hvert forår.",
    "de": "Die Bienen finden in der Stadt mehr Blüten als auf den Feldern ringsum.",
    "es": "Las abejas encuentran en la ciudad más flores que en los campos que la rodean.",
    "fa": "زنبورها در شهر گل‌های بیشتری از دشت‌های اطراف پیدا می‌کنند و عسل بهتری می‌سازند.",
    "fi": "Mehiläiset löytävät kaupungista enemmän kukkia kuin sitä ympäröiviltä pelloilta.",
    "fr": "Les abeilles trouvent en ville davantage de fleurs que dans les champs voisins.",
    "gl": "As abellas atopan na cidade máis flores ca nos campos que a rodean cada primavera.",
    "he": "הדבורים מוצאות בעיר יותר פרחים מאשר בשדות שמסביב.",
    "hi": "मधुमक्खियाँ आसपास के खेतों की तुलना में शहर में अधिक फूल पाती हैं।",
    "hu": "A méhek a városban több virágot találnak, mint a környező földeken minden tavasszal.",
    "id": "Lebah menemukan lebih banyak bunga di kota daripada di ladang di sekitarnya.",
    "it": "Le api trovano in città più fiori che nei campi che la circondano ogni primavera.",
    "ja": "ミツバチは周りの畑よりも町の中で多くの花を見つけます。",
    "ko": "벌들은 주변의 들판보다 도시에서 더 많은 꽃을 찾는다.",
    "nb": "Biene finner flere blomster i byen enn på jordene rundt den hver vår.",
    "nl": "De bijen vinden in de stad meer bloemen dan op de velden eromheen.",
    "pt": "As abelhas encontram na cidade mais flores do que nos campos que a rodeiam.",
    "ro": "Albinele găsesc în oraș mai multe flori decât pe câmpurile din jurul lui.",
    "sv": "Bina hittar fler blommor i staden än på åkrarna runt omkring den varje vår.",
    "tr": "Arılar şehirde, çevresindeki tarlalardan daha çok çiçek buluyor.",
    "uk": "Бджоли знаходять у місті більше квітів, ніж на полях довкола нього щовесни.",
    "vi": "Những con ong tìm thấy trong thành phố nhiều hoa hơn trên những cánh đồng xung quanh.",
}
WITHOUT_MODEL = {
    "be": "Пчолы знаходзяць у горадзе больш кветак, чым на палях вакол яго кожную вясну.",
    "hr": "Pčele u gradu pronalaze više cvijeća nego na poljima oko njega svakog proljeća.",
    "lt": "Bitės mieste randa daugiau žiedų nei aplinkiniuose laukuose kiekvieną pavasarį.",
    "sk": "Včely nachádzajú v meste viac kvetov než na poliach v jeho okolí, a preto včelári "
    "prenášajú úle na strechy starých domov.",
    "ur": "شہر میں مکھیوں کو آس پاس کے کھیتوں سے زیادہ پھول ملتے ہیں۔",
}
OTHER_SCRIPTS = {
    "th": "ผึ้งในเมืองพบดอกไม้มากกว่าในทุ่งนารอบเมือง คนเลี้ยงผึ้งจึงย้ายรังขึ้นไปไว้บนหลังคา",
    "lo": "ເຜິ້ງຢູ່ໃນເມືອງພົບດອກໄມ້ຫຼາຍກວ່າຢູ່ໃນທົ່ງນາອ້ອມຮອບ",
    "km": "ឃ្មុំនៅក្នុងទីក្រុងរកឃើញផ្កាច្រើនជាងនៅតាមវាលស្រែជុំវិញ",
    "my": "မြို့ထဲက ပျားတွေဟာ အနီးက လယ်ကွင်းတွေထက် ပန်းပိုတွေ့ကြတယ်။",
    "ka": "ფუტკრები ქალაქში უფრო მეტ ყვავილს პოულობენ, ვიდრე მინდვრებში.",
    "hy": "Մեղուները քաղաքում ավելի շատ ծաղիկ են գտնում, քան դաշտերում։",
    "am": "ንቦች በከተማ ውስጥ ከሜዳው የበለጠ አበባ ያገኛሉ። ንብ አርቢዎች ቀፎዎቹን በጣራ ላይ ያስቀምጣሉ።",
    "ta": "நகரத்தில் தேனீக்கள் சுற்றியுள்ள வயல்களை விட அதிக பூக்களைக் காண்கின்றன.",
}
NOTICE = (
    "This website uses cookies to improve your experience while you navigate through the website. "
    "Out of these, the cookies that are categorized as necessary are stored on your browser."
)
# longer than the notice
LONGER = {
    "de": "Die Handelskammer hat nach mehr als zwei Jahren die Arbeiten der Kommission "
    "abgeschlossen, die die Gebräuche der Provinz zu sammeln hatte. Der Präsident dankte allen, "
    "die daran mitgewirkt haben.",
    "it": "La Camera di Commercio ha concluso, dopo oltre due anni di riunioni, i lavori della "
    "commissione che doveva raccogliere gli usi della provincia. Il presidente ha ringraziato "
    "tutti quelli che vi hanno partecipato.",
    "nl": "De Kamer van Koophandel heeft na meer dan twee jaar het werk van de commissie "
    "afgesloten, die de gebruiken van de provincie moest verzamelen. De voorzitter bedankte "
    "iedereen die daaraan heeft meegewerkt.",
}
# Languages that the detector takes for others, so that only the page itself can name them.
UNDETECTED = {
    "ms": "Lebah menemui lebih banyak bunga di bandar berbanding di ladang sekelilingnya.",
    "is": "Býflugurnar finna fleiri blóm í borginni en á ökrunum í kring.",
    "eu": "Erleek lore gehiago aurkitzen dituzte hirian inguruko soroetan baino.",
    "kk": "Аралар қалада айналадағы егістіктерге қарағанда көбірек гүл табады.",
    "mn": "Зөгийнүүд хотод эргэн тойрны талбайгаас илүү олон цэцэг олдог.",
    "ps": "مچۍ په ښار کې د شاوخوا کروندو په پرتله ډېر ګلونه مومي.",
    "ti": "ኣናህብ ኣብ ከተማ ካብ ኣብ ሜዳ ዘሎ ዝበዝሕ ዕምበባ ይረኽባ።",
}
BRANDS = "iPhone Pro Max, USB-C, Windows Server"
CODE = (
    "<pre>import {{ useState }} from 'react';\n\nfunction {name}({{ products }}) {{\n"
    "  const [filterText, setFilterText] = useState('');\n"
    "  const [inStockOnly, setInStockOnly] = useState(false);\n\n  return (</pre>"
)
FRAMES = "<pre>┌{line}┐\n│ ① Multi-modal Data Ingestion and Normalization │\n├{line}┤</pre>"
ADDRESS = (
    "Владелец и правообладатель газеты: © Bees Agency New Russia Ltd. Version 5.0. "
    "Адрес редакции: 84 Park Road, Rosyth, KY11 2JL, Scotland, United Kingdom."
)
KEY = 0xBEE5_0F7E_C17F_2A6D_9C3B_51E8_D047_6A93  # its multiples look like chance
MENU = "Home News About us Contact Shop Log in Terms of use Privacy Careers"


@pytest.fixture(scope="module")
def shipped() -> LanguageModels:
    return LanguageModels.shipped()


def cleaned(
    models: LanguageModels, body: str, lang: str = "", engine: str = "perplexity"
) -> Document:
    declared = f' lang="{lang}"' if lang else ""
    page = Page("https://bees.invalid/", f"<html{declared}><body>{body}</body></html>".encode())
    return Cleaner(CleanerOptions(engine=engine), models).clean(page)


@pytest.mark.parametrize("declared", ["", "en", "zh", "pl-PL", "xx", "<&>"])
@pytest.mark.parametrize("language", PROSE)
def test_the_model_of_the_language_judges_despite_the_declared_one(
    shipped: LanguageModels, language: str, declared: str
) -> None:
    document = cleaned(shipped, f"<p>{PROSE[language]}</p>", declared)

    assert (document.language, document.stats.model_language) == (language, language)
    assert document.model_digest == NgramModel.shipped(language).digest
    assert document.text == PROSE[language]


@pytest.mark.parametrize("declared", ["own", "", "en", "pl-PL", "xx"])
@pytest.mark.parametrize("language", SMALL)
def test_one_sentence_is_enough_to_detect_each_language(
    shipped: LanguageModels, language: str, declared: str
) -> None:
    stated = declared.replace("own", language)

    document = cleaned(shipped, f"<p>{SMALL[language]}</p>", stated)

    assert (document.language, document.stats.model_language) == (language, language)
    assert document.text == SMALL[language]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("language", WITHOUT_MODEL)
def test_a_page_without_a_model_for_its_language_is_never_emptied(
    shipped: LanguageModels, language: str, engine: str
) -> None:
    body = f"<div>{MENU}</div>" + f"<p>{WITHOUT_MODEL[language]}</p>" * 3

    document = cleaned(shipped, body, engine=engine)

    assert WITHOUT_MODEL[language] in document.text
    assert (document.language, document.stats.model_language) == (language, "")


@pytest.mark.parametrize("declared", ["en", "pl-PL", "fil"])
@pytest.mark.parametrize("language", WITHOUT_MODEL)
def test_a_language_without_a_model_is_detected_despite_the_declared_one(
    shipped: LanguageModels, language: str, declared: str
) -> None:
    document = cleaned(shipped, f"<p>{WITHOUT_MODEL[language]}</p>", declared)

    assert (document.language, document.stats.model_language) == (language, "")


@pytest.mark.parametrize("brands", ["", f"<p>{BRANDS}</p>"])
@pytest.mark.parametrize("declared", ["own", "", "en-US", "de", "ru", "th", "zh-Hans"])
@pytest.mark.parametrize("language", OTHER_SCRIPTS)
def test_a_language_without_letters_on_the_page_is_never_named(
    shipped: LanguageModels, language: str, declared: str, brands: str
) -> None:
    text = OTHER_SCRIPTS[language]
    stated = declared.replace("own", language)

    document = cleaned(shipped, f"<p>{text}</p>{brands}", stated)

    assert (document.language, document.stats.model_language) == (language, "")
    assert text in document.text
    assert BRANDS in document.text or not brands


@pytest.mark.parametrize("language", UNDETECTED)
def test_a_language_that_the_detector_lacks_is_believed(
    shipped: LanguageModels, language: str
) -> None:
    document = cleaned(shipped, f"<p>{UNDETECTED[language]}</p>", language)

    assert (document.language, document.stats.model_language) == (language, "")
    assert document.text == UNDETECTED[language]


@pytest.mark.parametrize(
    ("tag", "language"), [("jp", "ja"), ("kr", "ko"), ("tha", "th"), ("iw-IL", "he"), ("ua", "uk")]
)
def test_a_common_wrong_language_code_is_corrected(
    shipped: LanguageModels, tag: str, language: str
) -> None:
    text = {**OTHER_SCRIPTS, **SMALL}[language]

    assert cleaned(shipped, f"<p>{text}</p>", tag).language == language


@pytest.mark.parametrize("notice_first", [True, False])
@pytest.mark.parametrize("language", LONGER)
def test_a_notice_in_english_does_not_make_a_page_english_that_declares_another_language(
    shipped: LanguageModels, language: str, notice_first: bool
) -> None:
    body = [f"<p>{NOTICE}</p>", f"<p>{LONGER[language]}</p>"]

    document = cleaned(shipped, "".join(body if notice_first else reversed(body)), language)

    assert (document.language, document.stats.model_language) == (language, language)


def test_words_that_english_shares_with_french_do_not_make_a_page_english(
    shipped: LanguageModels,
) -> None:
    text = "La gare de Lyon est la plus belle de Paris, et le train de nuit est long."

    document = cleaned(shipped, f"<p>{text}</p>", "fr")

    assert (document.language, document.stats.model_language) == ("fr", "fr")


def test_a_page_declared_as_thai_with_much_english_is_thai(shipped: LanguageModels) -> None:
    body = f"<p>{OTHER_SCRIPTS['th']}</p><p>{PROSE['en']} {BRANDS}</p>"

    assert cleaned(shipped, body, "th").language == "th"


@pytest.mark.parametrize("declared", ["en", "el", "zh", "ru"])
def test_a_page_of_digits_is_kept_with_any_declared_language(
    shipped: LanguageModels, declared: str
) -> None:
    text = "12.50 | 13:40 | 17 % 1,200 — 44 2001 2002 2003"

    document = cleaned(shipped, f"<p>{text}</p>", declared)

    assert (document.text, document.language) == (text, declared)


@pytest.mark.parametrize(("declared", "language"), [("sk-SK", "sk"), ("fil-PH", "fil")])
def test_a_page_too_short_for_the_detector_is_in_the_language_that_it_declares(
    shipped: LanguageModels, declared: str, language: str
) -> None:
    document = cleaned(shipped, "<p>Kontakt</p>", declared)

    assert (document.language, document.stats.model_language) == (language, "")


@pytest.mark.parametrize(
    ("body", "declared", "least", "most"),
    [
        (PROSE["el"], "", 1, 1),  # a script of one language
        (PROSE["en"], "", 0.8, 1),
        (PROSE["pl"], "en", 0.8, 1),
        (WITHOUT_MODEL["lt"], "", 0.5, 1),
        ("Kontakt", "sk", 0, 0.5),
        ("12.50", "de", 0, 0),  # only the declaration of the page
        ("", "", 0, 0),
    ],
)
def test_a_document_says_how_sure_its_language_is(
    shipped: LanguageModels, body: str, declared: str, least: float, most: float
) -> None:
    assert least <= cleaned(shipped, f"<p>{body}</p>", declared).language_score <= most


def test_the_language_of_most_text_wins_on_a_mixed_page(shipped: LanguageModels) -> None:
    more = "Tramwaj wyjeżdża z zajezdni o szóstej rano, a bilety sprzedaje konduktor w mundurze."
    body = f"<p>{PROSE['pl']} {more}</p><p>{PROSE['en']}</p>"

    assert cleaned(shipped, body).language == "pl"


def test_the_language_is_found_despite_a_menu_in_another_language(shipped: LanguageModels) -> None:
    body = f"<ul><li>{MENU.replace(' ', '</li><li>')}</li></ul><p>{PROSE['zh'] * 3}</p>"

    assert cleaned(shipped, body, lang="en").language == "zh"


def test_a_page_without_a_token_is_in_the_language_that_it_declares(
    shipped: LanguageModels,
) -> None:
    document = cleaned(shipped, "<p></p>", lang="el-GR")

    assert (document.text, document.language) == ("", "el")


@pytest.mark.parametrize("text", ["12.50 13:40 2026", "+48 22 555-01-01 | 19 % | 3/4"])
def test_a_page_of_digits_has_no_language_and_is_kept(shipped: LanguageModels, text: str) -> None:
    document = cleaned(shipped, f"<p>{text}</p>")

    assert (document.text, document.language, document.stats.model_language) == (text, "", "")


def test_a_page_of_digits_is_in_the_language_that_it_declares(shipped: LanguageModels) -> None:
    document = cleaned(shipped, "<p>12.50 13:40 2026</p>", lang="pl")

    assert (document.language, document.stats.model_language) == ("pl", "")


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Contact us"), ("el", "Επικοινωνία"), ("ru", "Связаться с нами"), ("zh", "联系我们")],
)
def test_a_few_words_are_enough_for_a_page_that_declares_nothing(
    shipped: LanguageModels, language: str, text: str
) -> None:
    document = cleaned(shipped, f"<p>{text}</p>")

    assert (document.language, document.stats.model_language) == (language, language)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_one_model_scores_every_page_when_the_engine_reads_no_other(
    shipped: LanguageModels, language: str
) -> None:
    document = cleaned(shipped, f"<p>{PROSE[language]}</p>", engine="contrast")

    assert document.language == language
    assert document.model_digest == shipped.default.digest
    assert document.stats.model_language == ("en" if language == "en" else "")


@pytest.mark.parametrize(
    "notice",
    [
        "Владелец издания: © Bees News Agency Ltd. Version 5.0, Terms of Service. ",
        pytest.param(ADDRESS, id="taken for English by the detector"),
    ],
)
def test_a_notice_in_two_scripts_is_judged_by_the_model_that_it_surprises_least(
    shipped: LanguageModels, notice: str
) -> None:
    document = cleaned(shipped, f"<p>{notice * 2} {PROSE['ru']}</p>")

    assert (document.language, document.stats.model_language) == ("ru", "ru")
    assert PROSE["ru"] in document.text


@pytest.mark.parametrize("declared", ["", "en", "ru"])
def test_an_unrelated_model_does_not_judge_a_page_of_identifiers(
    shipped: LanguageModels, declared: str
) -> None:
    text = " ".join(str(UUID(int=number * KEY % 2**128)) for number in range(1, 40))

    document = cleaned(shipped, f"<p>{text}</p>", declared)

    assert (document.text, document.stats.model_language) == (text, "")


@pytest.mark.parametrize("declared", ["", "en", "ru", "zh", "el"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CODE.format(name="FilterableProductTable") * 2, id="code"),
        pytest.param(FRAMES.format(line="─" * 58) * 3, id="frames"),
        pytest.param("<p>6:51:42 AM: ────────────── 6:51:42 AM: ❯ Flags</p>" * 9, id="log"),
    ],
)
def test_no_model_judges_a_page_without_its_letters(
    shipped: LanguageModels, text: str, declared: str
) -> None:
    document = cleaned(shipped, text, declared)

    assert document.stats.model_language in {"", "en", "pl"}
    is_whole = document.stats.text_chars_kept == document.stats.text_chars
    assert is_whole or document.stats.model_language


def test_each_language_has_a_threshold_unless_one_is_given(shipped: LanguageModels) -> None:
    page = Page("https://bees.invalid/", f"<p>{PROSE['zh']}</p>".encode())
    own = Cleaner(CleanerOptions(engine="perplexity"), shipped).clean(page)
    given = Cleaner(CleanerOptions(engine="perplexity", threshold=2.0), shipped).clean(page)

    assert own.threshold < 12000 < cleaned(shipped, f"<p>{PROSE['ru']}</p>").threshold
    assert (given.threshold, given.text) == (2.0, "")


def test_a_batch_gives_what_its_pages_give_alone(shipped: LanguageModels) -> None:
    texts = [*PROSE.values(), *SMALL.values(), *WITHOUT_MODEL.values()]
    pages = [Page(f"u://{index}", f"<p>{text}</p>".encode()) for index, text in enumerate(texts)]
    cleaner = Cleaner(CleanerOptions(engine="perplexity"), shipped)

    assert cleaner.clean_batch(pages) == [cleaner.clean(page) for page in pages]


def test_the_fingerprint_depends_on_every_model() -> None:
    english, polish, greek = (NgramModel.shipped(language) for language in ("en", "pl", "el"))
    sets = ([english], [english, polish], [polish, english], [english, greek])

    fingerprints = [Cleaner(CleanerOptions(), LanguageModels(each)).fingerprint for each in sets]

    assert len(set(fingerprints)) == len(sets)
    assert fingerprints[0] == Cleaner(CleanerOptions(), english).fingerprint


def test_a_folder_of_models_is_opened_whole(tmp_path: Path, shipped: LanguageModels) -> None:
    data = Path(__file__).resolve().parents[4] / "models" / "data"
    for language in ("zh", "el"):
        (tmp_path / f"{language}.winnow").symlink_to(data / f"{language}.winnow")

    assert LanguageModels.open(tmp_path).languages == ("el", "zh")
    (tmp_path / "n.winnow").symlink_to(data / "en.winnow")
    assert LanguageModels.open(tmp_path).languages == ("en", "el", "zh")
    assert LanguageModels.open(str(data / "ru.winnow")).languages == ("ru",)
    assert shipped.languages[0] == "en"


def test_an_impossible_set_of_models_is_refused(tmp_path: Path) -> None:
    english = NgramModel.shipped()

    with pytest.raises(ModelError, match="no language model"):
        LanguageModels([])
    with pytest.raises(ModelError, match="two models of one language"):
        LanguageModels([english, english])
    with pytest.raises(ModelError, match="no model"):
        LanguageModels.open(tmp_path)


@pytest.mark.parametrize("language", ["el", "pl", "ru", "zh"])
def test_a_shipped_model_has_at_most_4_mb(language: str) -> None:
    assert NgramModel.shipped(language).info.file_bytes <= 4_000_000


@pytest.mark.parametrize("language", SMALL)
def test_the_threshold_of_a_small_model_follows_from_its_held_out_lines(language: str) -> None:
    times = 5 if language == "ja" else 28

    held_out = NgramModel.shipped(language).info.held_out_perplexity

    assert FROM_HELD_OUT[language] == pytest.approx(times * held_out, rel=0.05)


def test_the_small_models_have_16_mb_together() -> None:
    infos = [NgramModel.shipped(language).info for language in SMALL]

    assert sum(info.file_bytes for info in infos) <= 16_000_000
    assert sorted([*SMALL, *PROSE]) == sorted(SHIPPED)


@pytest.mark.parametrize("language", SHIPPED)
def test_every_shipped_model_knows_how_strange_its_own_text_is(language: str) -> None:
    model = NgramModel.shipped(language)
    middle = model.quantile(0.5)

    assert middle is not None
    assert middle == pytest.approx(model.info.held_out_perplexity, rel=0.5)
    assert model.stranger(middle) == pytest.approx(0.5)


@pytest.mark.parametrize("name", [*SHIPPED, "boilerplate"])
def test_the_probabilities_of_a_shipped_model_sum_to_1(name: str) -> None:
    figures = NgramModel.open(DATA / f"{name}.winnow").info.figures

    chance = 1.0 - sum(figures.weights)
    vocabulary = figures.listed[0] + 1  # and the unknown word

    assert figures.unknown_log2 == pytest.approx(math.log2(chance / vocabulary), abs=1e-4)
