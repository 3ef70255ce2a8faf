//! The purpose of a page, in WCXB's terms.

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

/// One number per page type.
pub type ByPageType = [f32; PageType::COUNT];
