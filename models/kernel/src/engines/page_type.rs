//! What a page is for, in WCXB's terms.

/// The types of pages, in the order of the parameter file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageType {
    Article,
    Forum,
    Product,
    Collection,
    Listing,
    Documentation,
    Service,
}

impl PageType {
    pub const NAMES: [&str; 7] = [
        "article",
        "forum",
        "product",
        "collection",
        "listing",
        "documentation",
        "service",
    ];
    pub const COUNT: usize = Self::NAMES.len();
}

/// One number for each type of page.
pub type ByPageType = [f32; PageType::COUNT];
