//! Reasons for refusing a page: the kernel's part of `winnow.models.errors.Reason`.

/// A reason of the closed set; [`Reason::as_str`] is the value in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Undecodable,
    Empty,
    TooLarge,
    NotHtml,
    Binary,
    TooDeep,
    TooManyNodes,
}

impl Reason {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undecodable => "undecodable",
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::NotHtml => "not_html",
            Self::Binary => "binary",
            Self::TooDeep => "too_deep",
            Self::TooManyNodes => "too_many_nodes",
        }
    }
}

/// A page that is not cleaned; `detail` is one line of figures for people, never page text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reason: Reason,
    pub detail: String,
}

impl Refusal {
    #[must_use]
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
        }
    }
}
