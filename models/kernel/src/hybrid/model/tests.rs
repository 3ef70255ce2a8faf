//! What becomes of comments.

use super::*;

#[test]
fn comments_are_kept_or_dropped_whatever_their_content_when_so_asked() {
    let (content, comment) = ([0.9, 0.1, 0.9, 0.1], [0.9, 0.9, 0.1, 0.1]);
    let codes = |comments| verdicts(&content, &comment, 0.5, comments);
    let [kept, dropped, other] = [decode::KEPT, decode::COMMENT, decode::FURNITURE];

    assert_eq!(codes(Comments::Auto), [kept, dropped, kept, other]);
    assert_eq!(codes(Comments::Keep), [kept, kept, kept, other]);
    assert_eq!(codes(Comments::Drop), [dropped, dropped, kept, other]);
}
