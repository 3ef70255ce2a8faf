//! What decides verdicts beside the engine itself.

/// What decided the verdict of a block.
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
    Notes,
    Heading,
    /// The same words are kept in another block.
    Copy,
    /// An opening such as "Read more:".
    Promotion,
    /// Template code that nobody has filled.
    Placeholder,
    /// A notice that asks for consent.
    Consent,
    /// The best container of a page of which nothing was kept.
    Container,
}

impl Decider {
    /// The names in explanations, by code.
    pub const NAMES: [&str; 12] = [
        "engine",
        "table",
        "list",
        "thread",
        "series",
        "notes",
        "heading",
        "copy",
        "promotion",
        "placeholder",
        "consent",
        "container",
    ];
}
