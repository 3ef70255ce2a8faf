//! Limits of one page; `models/page/limits.py` gives the reasons.

use super::refusal::{Reason, Refusal};

/// The limits of a page's cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "python", derive(pyo3::FromPyObject))]
pub struct Limits {
    pub page_bytes: usize,
    /// Elements open at once.
    pub depth: usize,
    /// Elements, texts and comments.
    pub nodes: usize,
    /// Open elements and formatting elements that the parser visits.
    pub steps: u64,
}

impl Limits {
    /// # Errors
    /// `TooLarge`.
    pub fn check_bytes(&self, bytes: usize) -> Result<(), Refusal> {
        if bytes <= self.page_bytes {
            return Ok(());
        }
        let detail = format!("more than {} bytes: {bytes}", self.page_bytes);
        Err(Refusal::new(Reason::TooLarge, detail))
    }

    /// The limits that the parser enforces.
    #[must_use]
    pub fn of_tree(&self) -> winnow_html::Limits {
        winnow_html::Limits {
            bytes: u32::MAX as usize,
            depth: self.depth,
            nodes: self.nodes,
            steps: self.steps,
        }
    }

    /// The refusal of a page that passed a limit.
    #[must_use]
    pub fn refusal(&self, passed: winnow_html::Refusal) -> Refusal {
        use winnow_html::Refusal as Passed;
        let (reason, limit, what) = match passed {
            Passed::TooManyNames => {
                return Refusal::new(Reason::TooManyNodes, "more names of elements than numbers");
            }
            Passed::TooLarge => (Reason::TooLarge, self.page_bytes as u64, "bytes"),
            Passed::TooDeep => (Reason::TooDeep, self.depth as u64, "elements open at once"),
            Passed::TooManyNodes => (Reason::TooManyNodes, self.nodes as u64, "nodes"),
            Passed::TooManySteps => (Reason::TooDeep, self.steps, "steps through open elements"),
        };
        Refusal::new(reason, format!("more than {limit} {what}"))
    }
}
