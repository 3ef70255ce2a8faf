"""No page that shows text becomes an empty document, of any kind, in any language and engine."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from winnow.models import Cleaner
from winnow.models.document import Page
from winnow.models.engines.hybrid import Convention, Training
from winnow.models.options import CleanerOptions


@dataclass(frozen=True, slots=True)
class Words:
    """Texts of small pages in one language."""

    form: tuple[str, str, str]
    menu: str
    sentence: str
    caption: str


WORDS: Final = {
    "en": Words(
        ("Sign in to your account", "Password", "Forgot your password?"),
        "Home Contact Prices Opening Team News Jobs",
        "The shop is closed today because of the storm.",
        "A red house near the lake in winter",
    ),
    "de": Words(
        ("Melden Sie sich an", "Passwort", "Passwort vergessen?"),
        "Startseite Kontakt Preise Öffnungszeiten Team Neuigkeiten Stellen",
        "Der Laden ist heute wegen des Sturms geschlossen.",
        "Ein rotes Haus am See im Winter",
    ),
    "fr": Words(
        ("Connectez-vous à votre compte", "Mot de passe", "Mot de passe oublié ?"),
        "Accueil Contact Tarifs Horaires Équipe Actualités Emplois",
        "Le magasin est fermé aujourd'hui à cause de la tempête.",
        "Une maison rouge au bord du lac en hiver",
    ),
    "ru": Words(
        ("Войдите в свою учётную запись", "Пароль", "Забыли пароль?"),
        "Главная Контакты Цены Часы Команда Новости Вакансии",
        "Магазин сегодня закрыт из-за шторма.",
        "Красный дом у озера зимой",
    ),
    "ja": Words(
        ("アカウントにログイン", "パスワード", "パスワードをお忘れですか？"),
        "ホーム お問い合わせ 料金 営業時間 チーム お知らせ 採用情報",
        "嵐のため、本日は休業いたします。",
        "冬の湖のほとりにある赤い家",
    ),
    "ar": Words(
        ("تسجيل الدخول إلى حسابك", "كلمة المرور", "هل نسيت كلمة المرور؟"),
        "الرئيسية الأسعار العمل الفريق الأخبار وظائف",
        "المتجر مغلق اليوم بسبب العاصفة.",
        "بيت أحمر بجانب البحيرة في الشتاء",
    ),
}
CLEANERS: Final[dict[str, dict[str, Any]]] = {
    "hybrid": {},
    "open": {"training": Training.OPEN},
    "without-roles": dict.fromkeys(("title", "bylines", "captions"), Convention.DROP),
    "web2text": {"engine": "web2text"},
    "contrast": {"engine": "contrast"},
    "perplexity": {"engine": "perplexity"},
}


def bodies(words: Words) -> Iterator[str]:
    """Yield one body of each kind of page with little text."""
    title, label, link = words.form
    links = [f"<a href=/{at}>{name}</a>" for at, name in enumerate(words.menu.split())]
    menu = f"<nav><ul>{''.join(f'<li>{each}</li>' for each in links)}</ul></nav>"
    form = f"<form><label>{label}<input type=password></label><button>{title}</button></form>"
    rows = "".join(f"<tr><td>Ann {at}<td>{at}<td>Oslo" for at in range(9))
    figure = f"<figure><img src=/1.jpg><figcaption>{words.caption}</figcaption></figure>"
    footer = f"<footer><p>© 2024 Example</p>{links[1]}</footer>"
    login = f"<h1>{title}</h1>{form}<p><a href=/forgot>{link}</a></p>"
    yield f"{menu}<main>{login}</main>{footer}"
    yield f"<div>{login}</div>"
    yield f"<div id=root><div><button>{title}</button></div><div>{words.caption}</div></div>"
    yield f"<ul>{''.join(f'<li>{each}</li>' for each in links * 4)}</ul>"
    yield f"<div>{' | '.join(links * 3)}</div>"
    yield words.sentence
    yield f"{menu}<main><p>{words.sentence}</p></main>{footer}"
    yield f"{menu}<div class=gallery>{figure * 12}</div>{footer}"
    yield f"<div><a href=/1.jpg><img src=/1.jpg></a><p>{words.caption}</p></div>"
    yield f"<table><tr><th>{label}<th>{title}<th>{link}{rows}</table>"
    yield f"{menu}{footer}"
    yield f"<p>Read more: <a href=/more>{words.sentence}</a></p>"
    yield "<div class=comments>" + f"<div class=comment><p>{words.sentence}</p></div>" * 5


@pytest.mark.parametrize("options", CLEANERS.values(), ids=CLEANERS)
@pytest.mark.parametrize("language", WORDS)
def test_a_page_that_shows_text_keeps_some_of_it(language: str, options: dict[str, Any]) -> None:
    pages = [
        Page("https://bees.invalid/", f"<html lang={language}><body>{body}".encode())
        for body in bodies(WORDS[language])
    ]

    cleaner = Cleaner(CleanerOptions(**options))
    emptied = [page.body.decode() for page in pages if not cleaner.clean(page).text]

    assert emptied == []


@pytest.mark.parametrize("options", CLEANERS.values(), ids=CLEANERS)
@pytest.mark.parametrize(
    "body", ["", "<div></div>", "<script>var bees = 1</script>", "<img src=/1.jpg alt=Bees>"]
)
def test_a_page_without_text_stays_empty(body: str, options: dict[str, Any]) -> None:
    page = Page("https://bees.invalid/", f"<html lang=en><title>Bees</title><body>{body}".encode())

    assert Cleaner(CleanerOptions(**options)).clean(page).text == ""


def test_captions_are_kept_together_when_they_are_all_that_a_page_has() -> None:
    captions = (f"A {colour} house near the lake" for colour in ("red", "green", "blue", "white"))
    figures = "".join(f"<figure><img><figcaption>{text}</figcaption></figure>" for text in captions)
    page = Page("https://bees.invalid/", f"<html lang=en><body>{figures}".encode())

    kept = Cleaner(CleanerOptions()).clean(page).text
    dropped = Cleaner(CleanerOptions(captions=Convention.DROP)).clean(page).text

    assert (kept.count("near the lake"), dropped) == (4, kept)
