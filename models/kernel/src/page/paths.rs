//! Interned tag paths: a tree of element names, one node for each distinct path of the page.

use super::tags::{NAMES, Tag};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Step {
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    tag: Tag,
}

/// Distinct paths from the root of the page; path 0 is the empty path.
#[derive(Clone, Debug)]
pub struct Paths {
    steps: Vec<Step>,
}

impl Default for Paths {
    fn default() -> Self {
        let root = Step {
            parent: NONE,
            first_child: NONE,
            next_sibling: NONE,
            tag: 0,
        };
        Self { steps: vec![root] }
    }
}

impl Paths {
    /// The number of distinct paths, including the empty one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is only the empty path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.len() == 1
    }

    /// The path `tag` below `parent`, created if it is new.
    ///
    /// The children of a path are a list, because a path has few distinct element names below it.
    pub fn child(&mut self, parent: u32, tag: Tag) -> u32 {
        let Some(step) = self.steps.get(parent as usize) else {
            return 0;
        };
        let first = step.first_child;
        let mut at = first;
        while let Some(child) = self.steps.get(at as usize) {
            if child.tag == tag {
                return at;
            }
            at = child.next_sibling;
        }
        let new = self.steps.len() as u32;
        self.steps.push(Step {
            parent,
            first_child: NONE,
            next_sibling: first,
            tag,
        });
        if let Some(step) = self.steps.get_mut(parent as usize) {
            step.first_child = new;
        }
        new
    }

    /// The path one step up; `None` for the empty path and for unknown numbers.
    #[must_use]
    pub fn parent(&self, path: u32) -> Option<u32> {
        let parent = self.steps.get(path as usize)?.parent;
        (parent != NONE).then_some(parent)
    }

    /// The last element of a path; 0 for the empty path.
    #[must_use]
    pub fn tag(&self, path: u32) -> Tag {
        self.steps.get(path as usize).map_or(0, |step| step.tag)
    }

    /// The element names of a path, outermost first, joined by `/`.
    #[must_use]
    pub fn name(&self, path: u32) -> String {
        let mut names = Vec::new();
        let mut at = path;
        while let Some(parent) = self.parent(at) {
            names.push(NAMES.get(self.tag(at) as usize).copied().unwrap_or(""));
            at = parent;
        }
        names.reverse();
        names.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tags::{BODY, DIV, P};

    #[test]
    fn a_path_is_made_once_and_spelled_from_the_outside() {
        let mut paths = Paths::default();
        let body = paths.child(0, BODY);
        let div = paths.child(body, DIV);
        let p = paths.child(div, P);

        assert_eq!(paths.child(div, P), p);
        assert_eq!(paths.name(p), "body/div/p");
        assert_eq!(paths.parent(p), Some(div));
        assert_eq!(paths.len(), 4);
    }

    #[test]
    fn the_empty_path_has_no_name_and_unknown_numbers_are_harmless() {
        let mut paths = Paths::default();

        assert_eq!(paths.name(0), "");
        assert_eq!(paths.name(77), "");
        assert_eq!(paths.child(77, P), 0);
    }
}
