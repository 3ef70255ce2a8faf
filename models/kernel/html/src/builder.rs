//! What the insertion modes share: open elements, formatting elements, insertion, bounds.

use memchr::{memchr, memchr2};

use crate::attributes::are_same;
use crate::modes::Mode;
use crate::tag::{self, Tag, Traits, traits_of};
use crate::tokenizer::{Names, Span, TagToken, Token, Tokenizer};
use crate::tree::{self, Id, Kind, Node, Tree};

/// Bounds of one page.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Elements open at once.
    pub depth: usize,
    pub nodes: usize,
    /// Entries of the stack looked at by searches, which are what could take time beyond linear.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 512,
            nodes: 1_000_000,
            steps: 64_000_000,
        }
    }
}

/// Repairs of damaged pages beyond the standard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repairs {
    /// Raw text in a `noscript` ends with it at the latest.
    pub noscript_ends_raw_text: bool,
    /// A title that is never closed ends with its line, or before the next tag.
    pub closes_title: bool,
    /// Elements whose content no reader sees close themselves, as they do in XML.
    pub is_xml: bool,
}

/// Why a page has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    TooLarge,
    TooDeep,
    TooManyNodes,
    TooManySteps,
}

/// Build the tree of a page.
///
/// # Errors
/// The page is beyond a bound.
pub fn parse<'i>(input: &'i str, limits: &Limits) -> Result<Tree<'i>, Refusal> {
    parse_into(input, limits, Repairs::default(), None, Vec::new())
}

/// The same in memory of an earlier tree.
///
/// # Errors
/// The page is beyond a bound.
pub fn parse_into<'i>(
    input: &'i str,
    limits: &Limits,
    repairs: Repairs,
    names: Option<&'i Names>,
    mut nodes: Vec<Node>,
) -> Result<Tree<'i>, Refusal> {
    if u32::try_from(input.len()).is_err() {
        return Err(Refusal::TooLarge);
    }
    nodes.clear();
    nodes.reserve(input.len() / 24 + 16);
    nodes.push(Node::new(Kind::Document, 0, Span::default(), 0));
    let bytes = input.as_bytes();
    let tree = Tree {
        input: bytes,
        markup: input,
        nodes,
        names: Vec::new(),
        merged: Vec::new(),
        read: Vec::new(),
        is_quirky: false,
        has_line_ends: memchr2(b'\r', b'\0', bytes).is_some(),
    };
    let mut builder = Builder {
        tree,
        tokens: Tokenizer::new(bytes, names),
        open: Vec::with_capacity(64),
        formatting: Vec::new(),
        modes_of_templates: Vec::new(),
        mode: Mode::Initial,
        head: 0,
        form: 0,
        fosters: false,
        frameset_ok: true,
        skips_line_feed: false,
        has_nul: memchr(0, bytes).is_some(),
        steps: 0,
        ids: Default::default(),
        refusal: None,
        limits: *limits,
        repairs,
        in_noscript: false,
        has_closed_title: false,
    };
    builder.run()?;
    builder.tree.read = builder.tokens.read;
    Ok(builder.tree)
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub id: Id,
    pub tag: Tag,
    pub kind: Kind,
    pub traits: Traits,
}

impl Open {
    #[inline(always)]
    pub fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.kind == Kind::Html
    }

    #[inline(always)]
    pub fn is_any(&self, tags: &[Tag]) -> bool {
        self.kind == Kind::Html && tags.contains(&self.tag)
    }

    #[inline(always)]
    pub fn has(&self, traits: Traits) -> bool {
        self.traits & traits != 0
    }
}

/// An entry of the list of active formatting elements; 0 is a marker.
#[derive(Clone, Copy, Debug)]
pub struct Formatting {
    pub id: Id,
    pub tag: Tag,
}

/// Where the search for an element in scope ends.
#[derive(Clone, Copy, Debug)]
pub enum Scope {
    Default,
    ListItem,
    Button,
    Table,
}

pub struct Builder<'i> {
    pub tree: Tree<'i>,
    pub tokens: Tokenizer<'i>,
    pub open: Vec<Open>,
    pub formatting: Vec<Formatting>,
    pub modes_of_templates: Vec<Mode>,
    pub mode: Mode,
    pub head: Id,
    pub form: Id,
    /// Foster parenting is on.
    pub fosters: bool,
    pub frameset_ok: bool,
    pub skips_line_feed: bool,
    pub has_nul: bool,
    pub steps: u64,
    ids: std::collections::HashMap<Vec<u8>, Tag>,
    refusal: Option<Refusal>,
    limits: Limits,
    repairs: Repairs,
    in_noscript: bool,
    has_closed_title: bool,
}

impl Builder<'_> {
    fn run(&mut self) -> Result<(), Refusal> {
        loop {
            let in_foreign = self.open.last().is_some_and(|last| last.kind != Kind::Html);
            let token = self.tokens.next(in_foreign);
            match token {
                Token::Text(span) => self.text(span, 0),
                Token::CData(span) => self.text(span, tree::RAW),
                Token::Start(mut tag) => {
                    self.name(&mut tag);
                    self.in_noscript |=
                        tag.tag == tag::NOSCRIPT && self.repairs.noscript_ends_raw_text;
                    self.start(&tag);
                }
                Token::End(mut tag) => {
                    self.name(&mut tag);
                    self.in_noscript &= tag.tag != tag::NOSCRIPT;
                    self.end(&tag);
                }
                Token::Comment(span) => self.comment(span),
                Token::Doctype(span) => self.doctype(span),
                Token::Eof => {
                    self.eof();
                    return self.refusal.map_or(Ok(()), Err);
                }
            }
            if let Some(refusal) = self.refusal {
                return Err(refusal);
            }
        }
    }

    /// Give a name that HTML does not know a number.
    #[inline(always)]
    fn name(&mut self, tag: &mut TagToken) {
        self.skips_line_feed = false;
        if tag.tag == tag::UNKNOWN {
            self.name_unknown(tag);
        }
    }

    #[cold]
    fn name_unknown(&mut self, tag: &mut TagToken) {
        let name = tag.name.of(self.tree.input).to_ascii_lowercase();
        let next = tag::COUNT + self.tree.names.len();
        tag.tag = *self.ids.entry(name).or_insert_with(|| {
            self.tree.names.push(tag.name);
            next as Tag
        });
        if next >= Tag::MAX as usize {
            self.refusal = Some(Refusal::TooManyNodes);
        }
    }

    // --- open elements

    /// The current node.
    #[inline(always)]
    pub fn current(&self) -> Open {
        self.open.last().copied().unwrap_or(NOTHING)
    }

    #[inline(always)]
    pub fn push(&mut self, open: Open) {
        self.tree.nodes[open.id as usize].flags |= tree::OPEN;
        self.open.push(open);
        if self.open.len() > self.limits.depth {
            self.refusal = Some(Refusal::TooDeep);
        }
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Open {
        let last = self.open.pop().unwrap_or(NOTHING);
        self.tree.nodes[last.id as usize].flags &= !tree::OPEN;
        last
    }

    pub fn is_open(&self, id: Id) -> bool {
        self.tree.node(id).flags & tree::OPEN != 0
    }

    pub fn remove_open(&mut self, id: Id) {
        if let Some(at) = self.open.iter().rposition(|open| open.id == id) {
            self.steps += (self.open.len() - at) as u64;
            self.tree.nodes[id as usize].flags &= !tree::OPEN;
            self.open.remove(at);
        }
    }

    /// Pop up to and with the first element of `tag`.
    #[inline]
    pub fn pop_until(&mut self, tag: Tag) {
        while !self.open.is_empty() {
            if self.pop().is(tag) {
                break;
            }
        }
    }

    pub fn pop_until_any(&mut self, tags: &[Tag]) {
        while !self.open.is_empty() {
            if self.pop().is_any(tags) {
                break;
            }
        }
    }

    /// Clear the stack back to one of `tags`, `template` or `html`.
    pub fn clear_back_to(&mut self, tags: &[Tag]) {
        while !self.current().is_any(tags) && !self.current().is_any(&[tag::TEMPLATE, tag::HTML]) {
            if self.open.is_empty() {
                break;
            }
            self.pop();
        }
    }

    #[inline]
    pub fn has_in_scope(&mut self, scope: Scope, is_wanted: impl Fn(&Open) -> bool) -> bool {
        for (steps, open) in self.open.iter().rev().enumerate() {
            let ends = match scope {
                Scope::Table => open.has(tag::TABLE_SCOPE),
                Scope::Default => open.has(tag::SCOPE),
                Scope::ListItem => open.has(tag::SCOPE | tag::LIST),
                Scope::Button => open.has(tag::SCOPE) || open.is(tag::BUTTON),
            };
            if is_wanted(open) || ends {
                let found = is_wanted(open);
                self.count(steps);
                return found;
            }
        }
        false
    }

    #[inline(always)]
    pub fn has(&mut self, scope: Scope, tag: Tag) -> bool {
        self.has_in_scope(scope, |open| open.is(tag))
    }

    #[inline(always)]
    pub fn count(&mut self, steps: usize) {
        self.steps += steps as u64;
        if self.steps > self.limits.steps {
            self.refusal = Some(Refusal::TooManySteps);
        }
    }

    pub fn is_any_open(&self, tag: Tag) -> bool {
        self.open.iter().any(|open| open.is(tag))
    }

    #[inline]
    pub fn generate_implied_end_tags(&mut self, except: Tag) {
        while self.current().has(tag::IMPLIED) && !self.current().is(except) {
            self.pop();
        }
    }

    pub fn generate_all_implied_end_tags(&mut self) {
        while self.current().has(tag::THOROUGH) {
            self.pop();
        }
    }

    #[inline]
    pub fn close_p(&mut self) {
        self.generate_implied_end_tags(tag::P);
        self.pop_until(tag::P);
    }

    #[inline]
    pub fn close_p_in_button_scope(&mut self) {
        if self.has(Scope::Button, tag::P) {
            self.close_p();
        }
    }

    // --- insertion

    /// Where a node goes that is inserted into `target`: its parent, and what it stands before.
    #[inline(always)]
    pub fn place(&self, target: Open) -> (Id, Id) {
        if self.fosters && target.has(tag::FOSTERING) {
            return self.foster_place();
        }
        if target.tag == tag::TEMPLATE && target.kind == Kind::Html {
            return (self.tree.node(target.id).first_child, 0);
        }
        (target.id, 0)
    }

    #[cold]
    fn foster_place(&self) -> (Id, Id) {
        let template = self.open.iter().rposition(|open| open.is(tag::TEMPLATE));
        let table = self.open.iter().rposition(|open| open.is(tag::TABLE));
        match (template, table) {
            (Some(template), None) => (self.tree.node(self.open[template].id).first_child, 0),
            (Some(template), Some(table)) if template > table => {
                (self.tree.node(self.open[template].id).first_child, 0)
            }
            (_, Some(table)) => {
                let id = self.open[table].id;
                let parent = self.tree.node(id).parent;
                if parent != 0 {
                    (parent, id)
                } else {
                    let above = self.open[table.saturating_sub(1)];
                    (above.id, 0)
                }
            }
            (None, None) => (self.open.first().map_or(0, |open| open.id), 0),
        }
    }

    #[inline(always)]
    pub fn add(&mut self, node: Node) -> Id {
        let id = self.tree.nodes.len();
        if id > self.limits.nodes {
            self.refusal = Some(Refusal::TooManyNodes);
        }
        self.tree.nodes.push(node);
        id as Id
    }

    /// Set a node without parent into the tree.
    #[inline(always)]
    pub fn link(&mut self, id: Id, parent: Id, before: Id) {
        let nodes = &mut self.tree.nodes;
        if before == 0 {
            let last = nodes[parent as usize].last_child;
            nodes[parent as usize].last_child = id;
            let node = &mut nodes[id as usize];
            node.parent = parent;
            node.previous = last;
            if last == 0 {
                nodes[parent as usize].first_child = id;
            } else {
                nodes[last as usize].next = id;
            }
            return;
        }
        let previous = nodes[before as usize].previous;
        let node = &mut nodes[id as usize];
        node.parent = parent;
        node.previous = previous;
        node.next = before;
        nodes[before as usize].previous = id;
        if previous == 0 {
            nodes[parent as usize].first_child = id;
        } else {
            nodes[previous as usize].next = id;
        }
    }

    /// Take a node with all under it out of the tree.
    pub fn unlink(&mut self, id: Id) {
        let Node {
            parent,
            next,
            previous,
            ..
        } = *self.tree.node(id);
        if parent == 0 && next == 0 && previous == 0 {
            return;
        }
        let nodes = &mut self.tree.nodes;
        if previous == 0 {
            nodes[parent as usize].first_child = next;
        } else {
            nodes[previous as usize].next = next;
        }
        if next == 0 {
            nodes[parent as usize].last_child = previous;
        } else {
            nodes[next as usize].previous = previous;
        }
        let node = &mut nodes[id as usize];
        (node.parent, node.next, node.previous) = (0, 0, 0);
    }

    /// Move all children of one node behind those of another.
    pub fn move_children(&mut self, from: Id, to: Id) {
        loop {
            let child = self.tree.node(from).first_child;
            if child == 0 {
                return;
            }
            self.count(1);
            self.unlink(child);
            self.link(child, to, 0);
        }
    }

    /// Insert an element and open it.
    #[inline(always)]
    pub fn insert(&mut self, token: &TagToken) -> Id {
        let id = self.insert_of(token.tag, token.attributes);
        self.tree.nodes[id as usize].read = token.read;
        id
    }

    #[inline(always)]
    pub fn insert_of(&mut self, tag: Tag, attributes: Span) -> Id {
        let (parent, before) = self.place(self.current());
        let id = self.add(Node::new(Kind::Html, tag, attributes, 0));
        self.link(id, parent, before);
        self.push(Open {
            id,
            tag,
            kind: Kind::Html,
            traits: traits_of(tag),
        });
        id
    }

    /// Insert an element that holds nothing.
    #[inline(always)]
    pub fn insert_void(&mut self, token: &TagToken) -> Id {
        let (parent, before) = self.place(self.current());
        let id = self.add(Node {
            read: token.read,
            ..Node::new(Kind::Html, token.tag, token.attributes, 0)
        });
        self.link(id, parent, before);
        id
    }

    /// Insert an element whose content is text whatever it looks like, with it.
    pub fn insert_raw(&mut self, token: &TagToken) {
        let (parent, before) = self.place(self.current());
        let id = self.add(Node {
            read: token.read,
            ..Node::new(Kind::Html, token.tag, token.attributes, 0)
        });
        self.link(id, parent, before);
        if self.repairs.is_xml && token.is_self_closing {
            return;
        }
        let in_noscript = self.in_noscript && !matches!(token.tag, tag::SCRIPT | tag::PLAINTEXT);
        let mut text = if in_noscript {
            self.tokens.raw_text_in(token.tag, b"noscript")
        } else {
            self.tokens.raw_text(token.tag)
        };
        if token.tag == tag::TITLE && self.repairs.closes_title && !self.has_closed_title {
            if let Some(length) = self.tokens.open_end(text) {
                self.has_closed_title = true;
                text.end = text.start + length;
            }
        }
        let is_decoded = matches!(token.tag, tag::TITLE | tag::TEXTAREA);
        if token.tag == tag::TEXTAREA {
            text.start += line_feed(text.of(self.tree.input));
        }
        if !text.is_empty() {
            let flags = tree::REPLACES_NUL | if is_decoded { 0 } else { tree::RAW };
            let inside = self.add(Node::new(Kind::Text, 0, text, flags));
            self.link(inside, id, 0);
        }
    }

    #[inline(always)]
    pub fn insert_text(&mut self, span: Span, flags: u8) {
        let (parent, before) = self.place(self.current());
        if parent == 0 {
            return;
        }
        let beside = match before {
            0 => self.tree.node(parent).last_child,
            _ => self.tree.node(before).previous,
        };
        let node = &mut self.tree.nodes[beside as usize];
        if node.kind == Kind::Text && node.span.end == span.start && node.flags == flags {
            node.span.end = span.end;
            return;
        }
        let id = self.add(Node::new(Kind::Text, 0, span, flags));
        self.link(id, parent, before);
    }

    pub fn insert_comment(&mut self, span: Span, parent: Option<Id>) {
        let (parent, before) = match parent {
            Some(parent) => (parent, 0),
            None => self.place(self.current()),
        };
        let id = self.add(Node::new(Kind::Comment, 0, span, 0));
        self.link(id, parent, before);
    }

    /// Open `<template>` with what holds its content.
    pub fn insert_template(&mut self, token: &TagToken) {
        let id = self.insert(token);
        let content = self.add(Node::new(Kind::Content, 0, Span::default(), 0));
        self.link(content, id, 0);
    }

    /// Keep attributes of another `html` or `body` tag.
    pub fn merge(&mut self, at: usize, attributes: Span) {
        if let (false, Some(open)) = (attributes.is_empty(), self.open.get(at)) {
            self.tree.nodes[open.id as usize].flags |= tree::MERGED;
            self.tree.merged.push((open.id, attributes));
        }
    }

    // --- formatting elements

    #[inline]
    pub fn push_formatting(&mut self, id: Id, token: &TagToken) {
        let mut same = 0;
        for at in (0..self.formatting.len()).rev() {
            let entry = self.formatting[at];
            if entry.id == 0 {
                break;
            }
            if entry.tag == token.tag {
                let input = self.tree.input;
                let attributes = self.tree.node(entry.id).span.of(input);
                self.count(1 + attributes.len() / 8);
                if are_same(attributes, token.attributes.of(input)) {
                    same += 1;
                    if same == 3 {
                        self.formatting.remove(at);
                        break;
                    }
                }
            }
        }
        self.formatting.push(Formatting { id, tag: token.tag });
    }

    pub fn mark_formatting(&mut self) {
        self.formatting.push(Formatting { id: 0, tag: 0 });
    }

    pub fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if entry.id == 0 {
                break;
            }
        }
    }

    /// The last formatting element of a tag behind the last marker.
    pub fn formatting_of(&self, tag: Tag) -> Option<usize> {
        for (at, entry) in self.formatting.iter().enumerate().rev() {
            if entry.id == 0 {
                return None;
            }
            if entry.tag == tag {
                return Some(at);
            }
        }
        None
    }

    pub fn remove_formatting(&mut self, id: Id) {
        if let Some(at) = self.formatting.iter().rposition(|entry| entry.id == id) {
            self.formatting.remove(at);
        }
    }

    #[inline(always)]
    pub fn reconstruct(&mut self) {
        match self.formatting.last() {
            Some(last) if last.id != 0 && !self.is_open(last.id) => self.reconstruct_some(),
            _ => {}
        }
    }

    #[cold]
    fn reconstruct_some(&mut self) {
        let is_done =
            |builder: &Self, entry: &Formatting| entry.id == 0 || builder.is_open(entry.id);
        let from = self
            .formatting
            .iter()
            .rposition(|entry| is_done(self, entry));
        for at in from.map_or(0, |at| at + 1)..self.formatting.len() {
            let Formatting { id, tag } = self.formatting[at];
            let Node { span, read, .. } = *self.tree.node(id);
            let copy = self.insert_of(tag, span);
            self.tree.nodes[copy as usize].read = read;
            self.formatting[at].id = copy;
            if self.refusal.is_some() {
                return;
            }
        }
    }

    /// The adoption agency algorithm. False if the tag is to be treated as any other end tag.
    pub fn adopt(&mut self, token: &TagToken) -> bool {
        let subject = token.tag;
        let current = self.current();
        if current.is(subject) && !self.formatting.iter().any(|entry| entry.id == current.id) {
            self.pop();
            return true;
        }
        for _ in 0..8 {
            let Some(entry_at) = self.formatting_of(subject) else {
                return false;
            };
            let formatting = self.formatting[entry_at];
            let Some(at) = self.open.iter().rposition(|open| open.id == formatting.id) else {
                self.formatting.remove(entry_at);
                return true;
            };
            self.count(self.open.len() - at);
            if self.open[at + 1..].iter().any(|open| open.has(tag::SCOPE)) {
                return true;
            }
            let Some(block_at) =
                (at + 1..self.open.len()).find(|&at| self.open[at].has(tag::SPECIAL))
            else {
                while self.open.len() > at {
                    self.pop();
                }
                self.formatting.remove(entry_at);
                return true;
            };
            let block = self.open[block_at];
            let ancestor = self.open[at.saturating_sub(1)];
            let mut bookmark = entry_at;
            let mut last = block.id;
            let mut node_at = block_at;
            for inner in 1.. {
                node_at -= 1;
                let node = self.open[node_at];
                if node.id == formatting.id {
                    break;
                }
                self.count(1);
                let mut listed = self
                    .formatting
                    .iter()
                    .rposition(|entry| entry.id == node.id);
                if let (true, Some(found)) = (inner > 3, listed) {
                    self.formatting.remove(found);
                    if found < bookmark {
                        bookmark -= 1;
                    }
                    listed = None;
                }
                let Some(listed) = listed else {
                    // what follows it on the stack moves down, `node_at` names what stood above
                    self.tree.nodes[node.id as usize].flags &= !tree::OPEN;
                    self.open.remove(node_at);
                    continue;
                };
                let Node { span, read, .. } = *self.tree.node(node.id);
                let copy = self.add(Node {
                    read,
                    ..Node::new(Kind::Html, node.tag, span, tree::OPEN)
                });
                self.tree.nodes[node.id as usize].flags &= !tree::OPEN;
                self.formatting[listed].id = copy;
                self.open[node_at].id = copy;
                if last == block.id {
                    bookmark = listed + 1;
                }
                self.unlink(last);
                self.link(last, copy, 0);
                last = copy;
            }
            self.unlink(last);
            let (parent, before) = self.place(ancestor);
            self.link(last, parent, before);
            let Node { span, read, .. } = *self.tree.node(formatting.id);
            let copy = self.add(Node {
                read,
                ..Node::new(Kind::Html, formatting.tag, span, 0)
            });
            self.move_children(block.id, copy);
            self.link(copy, block.id, 0);
            if let Some(found) = self
                .formatting
                .iter()
                .position(|entry| entry.id == formatting.id)
            {
                self.formatting.remove(found);
                if found < bookmark {
                    bookmark -= 1;
                }
            }
            let bookmark = bookmark.min(self.formatting.len());
            self.formatting.insert(
                bookmark,
                Formatting {
                    id: copy,
                    tag: formatting.tag,
                },
            );
            self.remove_open(formatting.id);
            if let Some(block_at) = self.open.iter().rposition(|open| open.id == block.id) {
                self.tree.nodes[copy as usize].flags |= tree::OPEN;
                let open = Open {
                    id: copy,
                    tag: formatting.tag,
                    kind: Kind::Html,
                    traits: 0,
                };
                self.open.insert(block_at + 1, open);
            }
            if self.refusal.is_some() {
                return true;
            }
        }
        true
    }
}

/// Stands for the current node where nothing is open.
const NOTHING: Open = Open {
    id: 0,
    tag: 0,
    kind: Kind::Document,
    traits: 0,
};

/// How long the line feed is that a text starts with.
pub fn line_feed(text: &[u8]) -> u32 {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}
