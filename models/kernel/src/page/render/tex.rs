//! TeX formulas in text, between delimiters for a script: `$x$`, `$$x$$`, `\(x\)`, `\[x\]`.

use std::ops::Range;

/// Most bytes of a formula in a line, and of a separate one.
const MAX_INLINE: usize = 1024;
const MAX_DISPLAY: usize = 8192;
/// Delimiters that could end a formula in a line and do not, before it is taken for text.
const MAX_ENDS: usize = 4;
/// Environments that are formulas without delimiters.
const ENVIRONMENTS: [&str; 10] = [
    "equation",
    "equation*",
    "align",
    "align*",
    "aligned",
    "gather",
    "gather*",
    "multline",
    "eqnarray",
    "eqnarray*",
];

/// Range of a formula with its delimiters, and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    pub all: Range<usize>,
    pub inner: Range<usize>,
    pub is_display: bool,
}

/// The formulas of a text, in order. `is_drawn`: the page has a script that draws them; otherwise
/// they have to look like TeX.
pub fn formulas(text: &str, is_drawn: bool) -> Vec<Formula> {
    let mut found: Vec<Formula> = Vec::new();
    let mut at = 0;
    while let Some(next) =
        memchr::memchr2(b'$', b'\\', text.as_bytes().get(at..).unwrap_or_default())
    {
        at += next;
        match formula_at(text, at, is_drawn) {
            Some(formula) => {
                at = formula.all.end;
                found.push(formula);
            }
            // the second of two dollars opens nothing, and neither does an escaped one
            None => {
                at += if text[at..].starts_with("$$") || text[at..].starts_with("\\$") {
                    2
                } else {
                    1
                }
            }
        }
    }
    found
}

/// The formula that is all of a text.
pub fn only(text: &str, is_drawn: bool) -> Option<Formula> {
    let text = text.trim_end();
    let formula = formula_at(text, 0, is_drawn)?;
    (formula.all == (0..text.len())).then_some(formula)
}

fn formula_at(text: &str, at: usize, is_drawn: bool) -> Option<Formula> {
    let rest = text.get(at..)?;
    for (open, close, is_display) in [
        ("$$", "$$", true),
        ("\\[", "\\]", true),
        ("\\(", "\\)", false),
    ] {
        if let Some(inside) = rest.strip_prefix(open) {
            let most = if is_display { MAX_DISPLAY } else { MAX_INLINE };
            let length = memchr::memmem::find(window(inside, most), close.as_bytes())?;
            let inner = inside.get(..length)?;
            let is_formula = !inner.trim().is_empty() && (is_drawn || has_tex(inner));
            let start = at + open.len();
            return is_formula.then(|| Formula {
                all: at..start + length + close.len(),
                inner: start..start + length,
                is_display,
            });
        }
    }
    if rest.starts_with('$') {
        return between_dollars(rest, at, is_drawn);
    }
    environment(rest, at).filter(|_| is_drawn)
}

fn window(text: &str, most: usize) -> &[u8] {
    let bytes = text.as_bytes();
    bytes.get(..most).unwrap_or(bytes)
}

/// A formula between single dollars, as Pandoc reads it: no white space directly inside, no digit
/// after it.
fn between_dollars(rest: &str, at: usize, is_drawn: bool) -> Option<Formula> {
    let inside = rest.get(1..)?;
    if inside.starts_with(char::is_whitespace) {
        return None;
    }
    let ends = memchr::memchr_iter(b'$', window(inside, MAX_INLINE));
    for end in ends.take(MAX_ENDS) {
        let inner = inside.get(..end)?;
        let after = inside.as_bytes().get(end + 1).copied();
        let is_end = !inner.is_empty()
            && !inner.ends_with(|last: char| last.is_whitespace() || last == '\\')
            && !after.is_some_and(|byte| byte.is_ascii_digit());
        if is_end {
            let is_formula = if is_drawn {
                may_be_formula(inner)
            } else {
                has_commands(inner)
            };
            return is_formula.then(|| Formula {
                all: at..at + end + 2,
                inner: at + 1..at + 1 + end,
                is_display: false,
            });
        }
    }
    None
}

fn environment(rest: &str, at: usize) -> Option<Formula> {
    let name = rest.strip_prefix("\\begin{")?;
    let name = name.get(..name.bytes().take(12).position(|byte| byte == b'}')?)?;
    if !ENVIRONMENTS.contains(&name) {
        return None;
    }
    let end = format!("\\end{{{name}}}");
    let length = memchr::memmem::find(window(rest, MAX_DISPLAY), end.as_bytes())? + end.len();
    Some(Formula {
        all: at..at + length,
        inner: at..at + length,
        is_display: true,
    })
}

/// Whether a text has anything that occurs in TeX and not in prose.
fn has_tex(text: &str) -> bool {
    has_commands(text) || text.contains(['^', '_'])
}

fn has_commands(text: &str) -> bool {
    let is_command = |(at, _): (usize, &str)| {
        let name = text.get(at + 1..).unwrap_or("");
        name.bytes()
            .take(2)
            .take_while(u8::is_ascii_alphabetic)
            .count()
            == 2
    };
    text.match_indices('\\').any(is_command) || text.contains("_{") || text.contains("^{")
}

/// Whether a text between dollars is something other than a price and words.
fn may_be_formula(text: &str) -> bool {
    let has_sign = text.contains(['\\', '^', '_', '{', '=', '+', '<', '>', '|']);
    let is_word =
        |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut words = text.split_whitespace();
    has_sign
        || !words.any(is_word) && !text.starts_with(|first: char| first.is_ascii_digit())
        || text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, is_drawn: bool) -> Vec<&str> {
        let formulas = formulas(text, is_drawn);
        formulas
            .into_iter()
            .map(|formula| text.get(formula.inner).unwrap_or(""))
            .collect()
    }

    #[test]
    fn formulas_are_found_where_a_script_draws_them() {
        for (text, expected) in [
            (
                "mass $m_1$ and \\(E = mc^2\\) of $n$",
                vec!["m_1", "E = mc^2", "n"],
            ),
            ("so $$\\int x$$, or \\[a\\]", vec!["\\int x", "a"]),
            (
                "\\begin{align}a\\end{align}",
                vec!["\\begin{align}a\\end{align}"],
            ),
        ] {
            assert_eq!(found(text, true), expected, "{text}");
        }
    }

    #[test]
    fn prices_are_no_formulas() {
        for text in [
            "$5 and $10",
            "$5-$10",
            "costs $5, and in US$ more",
            "$ 5$ a",
            "\\$5 or \\$6",
            "US$",
            "a $5 bill and the A$ too",
        ] {
            assert_eq!(found(text, true), Vec::<&str>::new(), "{text}");
            assert_eq!(found(text, false), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn without_a_script_they_have_to_look_like_tex() {
        let none = Vec::<&str>::new();
        assert_eq!(found("$m_{1}^{2}$ and $x$", false), ["m_{1}^{2}"]);
        assert_eq!(found("\\(x^2\\) and \\(a\\)", false), ["x^2"]);
        assert_eq!(found("echo $HOME/$USER", false), none);
    }
}
