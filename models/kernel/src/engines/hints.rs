//! Hints from class and id names: content, boilerplate or comments.
//!
//! Authors of pages use the same parts in their names (word lists after Mozilla's Readability).
//! Web2Text was trained with English parts only, the hybrid engine with parts in many languages.

use std::sync::LazyLock;

use crate::text::word_bits::WordBits;

/// A set of hints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints(u8);

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const COMMENT: u8 = 4;
const NAMED: u8 = 8;
const BYLINE: u8 = 16;
const CAPTION: u8 = 32;

/// For containers of content.
const ENGLISH_POSITIVE: &str = "article body blog content entry main page post story text";
/// For boilerplate.
const ENGLISH_NEGATIVE: &str = "\
    ad- banner breadcrumb contact cookie copyright foot header login masthead media menu meta nav \
    newsletter outbrain promo related scroll share shopping shoutbox social sponsor subscribe tags \
    tool widget";
/// For readers' comments, which are boilerplate except on forums.
const ENGLISH_COMMENT: &str = "comment discuss disqus feedback reply respond";

/// Parts in other languages, one line each: Western, Northern, Eastern and Turkish ones without
/// accents, and Asian words in Latin letters. None of them occurs in common English names.
const FOREIGN_POSITIVE: &str = "\
    artikel bericht beitrag haupt inhalt meldung \
    contenu corps \
    articul conteni cuerpo entrada noticia \
    articol notizi \
    conteud \
    inhoud \
    artykul tresc \
    clanek clanok obsah \
    indhold innehall innhold \
    icerik makale \
    novost statya \
    cikk tartalom \
    sisalto \
    continut \
    berita konten \
    baiviet noidung noi-dung \
    honbun kiji \
    neirong zhengwen";
const FOREIGN_NEGATIVE: &str = "\
    aehnlich anmeld anzeige beliebt brotkrum datenschutz empfehl fussbereich fussleiste fusszeile \
    impressum kontakt kopfbereich kopfzeile mehr meistgelesen randspalte schlagwort seitenleiste \
    seitenspalte stichwort teilen verwandt warenkorb weiter werbung \
    abonn annonce connexion entete filariane fil-ariane lire-aussi partag pieddepage pied-de- publici \
    similaire \
    barralateral barra-lateral boletin cabecera comparti etiqueta piepagina pie-de- relacion \
    condivi correlat pubblicit \
    cabecalho rodape \
    advertentie gerelateerd nieuwsbrief winkelwagen \
    logowan naglowek powiazan reklam stopka udost \
    hlavicka paticka sdilen souvisej zdielan \
    annons relatera relatert sidfot \
    altbilgi ilgili paylas \
    podelit podval pohozh shapka \
    hirdet kapcsolod \
    mainos \
    iklan terkait \
    lienquan lien-quan quangcao quang-cao \
    kanren koukoku \
    daohang fenxiang guanggao xiangguan";
const FOREIGN_COMMENT: &str = "\
    antwort diskuse diskuss komment \
    reponse \
    coment respuesta \
    rispost \
    resposta \
    reactie \
    koment odpowied \
    diskuz \
    yorum \
    otvet otzyv \
    hozzasz \
    binhluan binh-luan \
    pinglun";

/// For author lines and dates, and for captions.
const BYLINES: &str = "\
    byline author dateline timestamp pubdate publishdate publish-date published publication-date \
    pub-date postdate post-date entry-date entry-meta post-meta postmeta article-meta article-date \
    articledate article-info posted-on posted-by datetime date-time lastmod last-updated \
    last-modified autor verfasser auteur autore redakteur schrijver datum fecha";
const CAPTIONS: &str = "\
    caption credit cutline photo-by photographer bildunterschrift bildtext bildquelle legende \
    didascalia leyenda pie-foto piefoto podpis";

/// The hints that the networks of Web2Text were trained with: comments are separate, but only the
/// word itself is a negative hint.
pub static WEB2TEXT: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        (POSITIVE, ENGLISH_POSITIVE),
        (POSITIVE, "column"),
        (NEGATIVE, ENGLISH_NEGATIVE),
        (NEGATIVE, "advert button comb comment link side sitemap"),
        (COMMENT, ENGLISH_COMMENT),
    ])
});

/// The hints that the hybrid engine was trained with.
pub static HYBRID: LazyLock<Parts> = LazyLock::new(|| {
    Parts::of(&[
        (POSITIVE, ENGLISH_POSITIVE),
        (POSITIVE, FOREIGN_POSITIVE),
        (NEGATIVE, ENGLISH_NEGATIVE),
        (NEGATIVE, "combx more popular popup recent sidebar"),
        (NEGATIVE, FOREIGN_NEGATIVE),
        (NEGATIVE | COMMENT, ENGLISH_COMMENT),
        (NEGATIVE | COMMENT, FOREIGN_COMMENT),
        (BYLINE, BYLINES),
        (CAPTION, CAPTIONS),
    ])
});

/// Parts of names, in any case, with their hints.
pub struct Parts(WordBits);

impl Parts {
    /// The words of each text, with their hint.
    fn of(texts: &[(u8, &'static str)]) -> Self {
        let words = texts.iter().flat_map(|(hint, text)| {
            let words = text.split_ascii_whitespace();
            words.map(|word| (word, u16::from(*hint)))
        });
        Self(WordBits::in_any_case(words))
    }

    /// The hints of class and id names.
    #[must_use]
    pub fn hints(&self, names: &[u8]) -> Hints {
        if names.is_empty() {
            return Hints::NONE;
        }
        Hints(NAMED | self.0.of_text(names) as u8)
    }
}

impl Hints {
    pub const NONE: Self = Self(0);

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 & POSITIVE != 0
    }

    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 & NEGATIVE != 0
    }

    #[must_use]
    pub const fn is_comment(self) -> bool {
        self.0 & COMMENT != 0
    }

    /// Author or date of the text.
    #[must_use]
    pub const fn is_byline(self) -> bool {
        self.0 & BYLINE != 0
    }

    /// A caption.
    #[must_use]
    pub const fn is_caption(self) -> bool {
        self.0 & CAPTION != 0
    }

    /// The element has a class or an id.
    #[must_use]
    pub const fn is_named(self) -> bool {
        self.0 & NAMED != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_found_inside_longer_words_in_any_case() {
        let hints = HYBRID.hints(b"wide MainContent commentList");

        assert!(hints.is_positive() && hints.is_negative() && hints.is_comment());
        assert!(!HYBRID.hints(b"xyz").is_positive());
        assert!(!HYBRID.hints(b"mai").is_positive());
    }

    #[test]
    fn each_engine_knows_the_parts_that_it_was_trained_with() {
        let reply = WEB2TEXT.hints(b"reply");
        assert!(reply.is_comment() && !reply.is_negative());
        assert!(HYBRID.hints(b"reply").is_negative());
        assert!(WEB2TEXT.hints(b"comment").is_negative());
        assert!(WEB2TEXT.hints(b"aside").is_negative());
        assert!(!HYBRID.hints(b"aside").is_negative());
        assert!(!WEB2TEXT.hints(b"inhalt").is_positive());
    }

    #[test]
    fn absent_names_hint_at_nothing() {
        assert_eq!(HYBRID.hints(b""), Hints::NONE);
        assert!(HYBRID.hints(b"x").is_named());
    }

    #[test]
    fn parts_of_other_languages_hint_at_what_english_ones_do() {
        let hint_at = |hints: u8, names: &str| {
            for name in names.split(' ') {
                assert_eq!(
                    HYBRID.hints(name.as_bytes()),
                    Hints(hints | NAMED),
                    "{name}"
                );
            }
        };
        hint_at(POSITIVE, "ArtikelInhalt haupt contenu conteudo zhengwen");
        hint_at(
            NEGATIVE,
            "werbung-oben Seitenleiste fil-ariane reklama rodape",
        );
        hint_at(
            NEGATIVE | COMMENT,
            "leserkommentare komentarze comentarios yorumlar pinglun",
        );
    }

    #[test]
    fn english_names_hold_no_parts_of_other_languages() {
        let names = [
            "compartment corporate document moment recommended static station material pied copied",
            "powerbi flowerbox announcement responsive occupied details stretch fluorescent habit",
            "public reactive notice wpis delta correct kiosk weight mehndi distribution rating",
        ];
        for name in names.iter().flat_map(|names| names.split(' ')) {
            assert_eq!(HYBRID.hints(name.as_bytes()), Hints(NAMED), "{name}");
        }
    }
}
