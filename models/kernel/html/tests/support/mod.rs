//! The test format of html5lib-tests and of our own cases.
#![allow(dead_code, reason = "each test program uses a part")]
#![allow(
    clippy::unwrap_used,
    reason = "clippy allows it in test functions alone"
)]

pub mod constructs;

use std::io::Write;
use std::path::{Path, PathBuf};

use winnow_html::{Kind, Limits, Options, Tree, parse, parse_into, serialize};

/// One test: an input, options, and the tree.
pub struct Case<'t> {
    pub file: String,
    pub data: &'t str,
    pub options: Options,
    pub tree: &'t str,
}

/// The tests of a file without the tests of fragments and scripts.
pub fn cases<'t>(file: &str, text: &'t str) -> Vec<Case<'t>> {
    let text = text.strip_prefix("#data\n").unwrap_or(text);
    let tests = text.split("\n#data\n");
    tests.filter_map(|test| case(file, test)).collect()
}

fn case<'t>(file: &str, test: &'t str) -> Option<Case<'t>> {
    let (data, rest) = test.split_once("#errors\n")?;
    let data = data.strip_suffix('\n').unwrap_or(data);
    let (facts, tree) = rest.split_once("#document\n").unwrap_or((rest, ""));
    if facts.contains("#document-fragment") || facts.contains("#script-on") {
        return None;
    }
    let named = facts
        .lines()
        .filter_map(|line| line.strip_prefix("#option "));
    Some(Case {
        file: file.to_owned(),
        data,
        options: named.fold(Options::default(), with_option),
        tree: tree.trim_end(),
    })
}

fn with_option(mut options: Options, name: &str) -> Options {
    match name {
        "noscript_ends_raw_text" => options.noscript_ends_raw_text = true,
        "closes_title" => options.closes_title = true,
        "is_xml" => options.is_xml = true,
        "closes_as_xhtml" => options.closes_as_xhtml = true,
        "shadow_roots_in_place" => options.shadow_roots_in_place = true,
        "streamed_parts_in_place" => options.streamed_parts_in_place = true,
        "parses_noframes" => options.parses_noframes = true,
        other => assert_eq!(other, "", "no such option"),
    }
    options
}

impl Case<'_> {
    /// The tree that the parser builds; it is checked as well.
    pub fn found(&self) -> String {
        let limits = Limits::default();
        let tree = parse_into(self.data, &limits, self.options, None, Vec::new()).unwrap();
        assert_eq!(tree.verify(), Ok(()), "{:?}", self.data);
        serialize(&tree).trim_end().to_owned()
    }

    /// The difference, if there is one.
    pub fn difference(&self) -> Option<String> {
        let found = self.found();
        let Self {
            file, data, tree, ..
        } = self;
        (found != *tree)
            .then(|| format!("--- {file}\n{data}\n+++ wanted\n{tree}\n+++ found\n{found}\n"))
    }
}

/// A folder of html5lib-tests, which are not part of the project. Prints a note if it is absent.
pub fn html5lib(folder: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/html5lib-tests");
    let path = root.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    // the output of macros is hidden for tests that pass
    let mut stderr = std::io::stderr();
    writeln!(stderr, "skipped: no {}", path.display()).unwrap();
    None
}

/// Files in order of their names, read as text.
pub fn files(folder: &Path, extension: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        (name, text)
    };
    paths.iter().map(read).collect()
}

/// The texts of a tree in the order in which they were read.
pub fn texts(tree: &Tree<'_>) -> Vec<String> {
    let ids = (0..).zip(&tree.nodes);
    let texts = ids.filter(|(_, node)| node.kind == Kind::Text);
    texts.map(|(id, _)| tree.text(id).into_owned()).collect()
}

/// All text of a page.
pub fn text(page: &str) -> String {
    texts(&parse(page, &Limits::default()).unwrap()).concat()
}
