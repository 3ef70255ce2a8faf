//! Deciders of verdicts: the engine and the rules after it.

/// What made the final decision about a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Decider {
    /// The engine, by the block itself.
    #[default]
    Engine,
    Table,
    List,
    Thread,
    Series,
    /// The text before notes or references.
    Notes,
    /// The mark that links to a note.
    Mark,
    Heading,
    /// The same words are kept in another block.
    Copy,
    /// A lead-in such as "Read more:".
    Promotion,
    /// Unfilled template code.
    Placeholder,
    /// A consent notice.
    Consent,
    /// The best container of a page without kept blocks.
    Container,
    /// A headline or a byline, which articles of one kind have or have not.
    Role,
    /// A paragraph that is only a link, between paragraphs of the text.
    Link,
    /// Code between blocks of the text.
    Listing,
}

impl Decider {
    /// The names in explanations, by code.
    pub const NAMES: [&str; 16] = [
        "engine",
        "table",
        "list",
        "thread",
        "series",
        "notes",
        "mark",
        "heading",
        "copy",
        "promotion",
        "placeholder",
        "consent",
        "container",
        "role",
        "link",
        "listing",
    ];
}
