# ruff: noqa: RUF001 - letters and signs of other scripts are what pages write
"""Names of months to their numbers, in the languages whose visible dates are read."""

from typing import Final

_NAMES: Final = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre"
    " diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro"
    " dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre"
    " dicembre",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października"
    " listopada grudnia",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "el": "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου"
    " οκτωβρίου νοεμβρίου δεκεμβρίου",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
# no word of another language among these stands before or after a number and a year
_SHORT: Final = {
    1: "jan ene janv янв ιαν styczeń jänner",
    2: "feb febr fév févr fev лют февр φεβ luty",
    3: "mar mär mrz мар μαρ marzec",
    4: "apr avr abr апр απρ kwiecień",
    5: "май μαϊ μαΐ maj",
    6: "jun июн ιουν czerwiec",
    7: "jul juil июл ιουλ lipiec",
    8: "aug авг αυγ sierpień",
    9: "sep sept сен сент σεπ wrzesień",
    10: "oct okt окт οκτ październik",
    11: "nov ноя νοε listopad",
    12: "dec dez dic déc дек δεκ grudzień",
}
# words of English too: only where the page is in the language
_SHORT_IN: Final = {
    "it": {"gen": 1, "mag": 5, "giu": 6, "lug": 7, "ago": 8, "set": 9, "ott": 10},
    "pt": {"mai": 5, "ago": 8, "set": 9, "out": 10},
    "es": {"ago": 8, "set": 9},
    "pl": {"sty": 1, "lut": 2, "kwi": 4, "cze": 6, "lip": 7, "sie": 8, "wrz": 9, "paź": 10},
}

_MONTHS: Final = {
    name: month for names in _NAMES.values() for month, name in enumerate(names.split(), 1)
} | {name: month for month, names in _SHORT.items() for name in names.split()}


def month_of(name: str, lang: str) -> int:
    """Return the number of a month by its name, 0 if it is none; `lang` decides on short names."""
    word = name.lower()
    return _MONTHS.get(word) or _SHORT_IN.get(lang[:2].lower(), {}).get(word, 0)
