//! Single signs of a formula in TeX.

/// Function application and other invisible operators.
const INVISIBLE: std::ops::RangeInclusive<char> = '\u{2061}'..='\u{2064}';

/// Signs and functions that take limits.
const LIMITS: [(&str, &str); 18] = [
    ("∑", "\\sum"),
    ("∏", "\\prod"),
    ("∐", "\\coprod"),
    ("⋃", "\\bigcup"),
    ("⋂", "\\bigcap"),
    ("⋁", "\\bigvee"),
    ("⋀", "\\bigwedge"),
    ("⨁", "\\bigoplus"),
    ("⨂", "\\bigotimes"),
    ("lim", "\\lim"),
    ("max", "\\max"),
    ("min", "\\min"),
    ("sup", "\\sup"),
    ("inf", "\\inf"),
    ("det", "\\det"),
    ("gcd", "\\gcd"),
    ("limsup", "\\limsup"),
    ("liminf", "\\liminf"),
];
const OTHERS: [(&str, &str); 20] = [
    ("∫", "\\int"),
    ("∬", "\\iint"),
    ("∭", "\\iiint"),
    ("∮", "\\oint"),
    ("sin", "\\sin"),
    ("cos", "\\cos"),
    ("tan", "\\tan"),
    ("cot", "\\cot"),
    ("sec", "\\sec"),
    ("arcsin", "\\arcsin"),
    ("arccos", "\\arccos"),
    ("arctan", "\\arctan"),
    ("sinh", "\\sinh"),
    ("cosh", "\\cosh"),
    ("tanh", "\\tanh"),
    ("log", "\\log"),
    ("ln", "\\ln"),
    ("exp", "\\exp"),
    ("arg", "\\arg"),
    ("dim", "\\dim"),
];
/// Accents over one letter, and over more.
const OVER: [(&str, &str, &str); 14] = [
    ("→⃗", "\\vec", "\\overrightarrow"),
    ("←⃖", "\\overleftarrow", "\\overleftarrow"),
    ("↔", "\\overleftrightarrow", "\\overleftrightarrow"),
    ("¯‾―_\u{304}\u{305}", "\\bar", "\\overline"),
    ("^ˆ\u{302}", "\\hat", "\\widehat"),
    ("~˜∼\u{303}", "\\tilde", "\\widetilde"),
    ("˙.\u{307}", "\\dot", "\\dot"),
    ("¨\u{308}", "\\ddot", "\\ddot"),
    ("⃛", "\\dddot", "\\dddot"),
    ("ˇ\u{30c}", "\\check", "\\check"),
    ("˘\u{306}", "\\breve", "\\breve"),
    ("´\u{301}", "\\acute", "\\acute"),
    ("`\u{300}", "\\grave", "\\grave"),
    ("⏞︷", "\\overbrace", "\\overbrace"),
];
const UNDER: [(&str, &str); 3] = [
    ("_¯‾―\u{331}\u{332}", "\\underline"),
    ("⏟︸", "\\underbrace"),
    ("→", "\\underrightarrow"),
];
const ARROWS: [(&str, &str); 4] = [
    ("→⟶", "\\xrightarrow"),
    ("←⟵", "\\xleftarrow"),
    ("⇒⟹", "\\xRightarrow"),
    ("↔⟷", "\\xleftrightarrow"),
];

/// The command for an operator or function, and whether its limits are above and below it.
pub fn command(text: &str) -> Option<(&'static str, bool)> {
    let find = |known: &[(&str, &'static str)]| {
        let found = known.iter().find(|(sign, _)| *sign == text);
        found.map(|(_, command)| *command)
    };
    let with_limits = find(&LIMITS).map(|command| (command, true));
    with_limits.or_else(|| find(&OTHERS).map(|command| (command, false)))
}

/// The accent for a sign over one letter (`is_one`) or more.
pub fn over(sign: &str, is_one: bool) -> Option<&'static str> {
    let found = OVER.iter().find(|(signs, _, _)| is_one_of(sign, signs));
    found.map(|&(_, one, more)| if is_one { one } else { more })
}

/// The command for a sign under something.
pub fn under(sign: &str) -> Option<&'static str> {
    let found = UNDER.iter().find(|(signs, _)| is_one_of(sign, signs));
    found.map(|(_, command)| *command)
}

/// The arrow that stretches with the text on it.
pub fn arrow(sign: &str) -> Option<&'static str> {
    let found = ARROWS.iter().find(|(signs, _)| is_one_of(sign, signs));
    found.map(|(_, command)| *command)
}

fn is_one_of(sign: &str, signs: &str) -> bool {
    let mut own = sign.chars();
    match (own.next(), own.next()) {
        (Some(only), None) => signs.contains(only),
        _ => false,
    }
}

/// The primes of an exponent that consists of primes only.
pub fn primes(text: &str) -> Option<String> {
    let number = text.chars().try_fold(0_usize, |sum, sign| {
        let own = match sign {
            '\'' | '′' => 1,
            '″' => 2,
            '‴' => 3,
            '⁗' => 4,
            _ => return None,
        };
        Some(sum + own)
    })?;
    (1..=8).contains(&number).then(|| "'".repeat(number))
}

/// Write the text of a token, with TeX's special characters escaped.
pub fn write(text: &str, out: &mut String) {
    for sign in text.chars().filter(|sign| !INVISIBLE.contains(sign)) {
        match sign {
            '{' | '}' | '%' | '&' | '#' | '$' | '_' => out.extend(['\\', sign]),
            '\\' => out.push_str("\\backslash"),
            '−' => out.push('-'),
            '∗' => out.push('*'),
            '′' => out.push('\''),
            '\u{a0}' => out.push(' '),
            _ => push(sign, out),
        }
    }
}

/// Write a sign, separated from the name of a command before it.
pub fn push(sign: char, out: &mut String) {
    if sign.is_ascii_alphabetic() && ends_in_command(out) {
        out.push(' ');
    }
    out.push(sign);
}

fn ends_in_command(out: &str) -> bool {
    const LONGEST: usize = 24;
    let letters = out.bytes().rev().take(LONGEST);
    let length = letters.take_while(u8::is_ascii_alphabetic).count();
    let before = out.len().checked_sub(length + 1);
    length > 0 && before.is_some_and(|at| out.as_bytes().get(at) == Some(&b'\\'))
}

/// Write words as text.
pub fn words(text: &str, out: &mut String) {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() {
        out.push(' ');
        return;
    }
    out.push_str("\\text{");
    if text.starts_with(char::is_whitespace) {
        out.push(' ');
    }
    write(&words.join(" "), out);
    if text.ends_with(char::is_whitespace) {
        out.push(' ');
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_parted_from_a_command_and_from_nothing_else() {
        for (before, after) in [
            ("", "a"),
            ("i", "ia"),
            ("\\alpha", "\\alpha a"),
            ("x\\to", "x\\to a"),
            ("\\", "\\a"),
        ] {
            let mut out = before.to_owned();
            push('a', &mut out);
            assert_eq!(out, after);
        }
    }
}
