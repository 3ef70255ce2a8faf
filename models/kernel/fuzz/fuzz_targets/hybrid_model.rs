//! A parameter file with a correct checksum and any contents: refused, or pages have probabilities.

#![no_main]

use _kernel::engines::hybrid::model::{Model, Policy};
use _kernel::engines::hybrid::outline::{Node, Outline, Span};
use libfuzzer_sys::fuzz_target;
use winnow_kernel_fuzz::edits::edited;

const SHIPPED: &[u8] = include_bytes!("../../../data/hybrid.bin");
/// Bytes of the header; the fuzzer sets its checksum.
const HEADER: usize = 24;

fuzz_target!(|input: &[u8]| {
    let payload = edited(&SHIPPED[HEADER..], input);
    let Ok(model) = Model::of(&payload) else {
        return;
    };
    let judged = model.judge_outline(&a_page(), Policy::default());
    assert_eq!(judged.verdicts.len(), judged.probabilities.len());
    let is_share = |value: &f32| (0.0..=1.0).contains(value);
    assert!(judged.probabilities.iter().all(is_share), "{judged:?}");
    assert!(
        judged.page_types.iter().flatten().all(is_share),
        "{judged:?}"
    );
});

fn a_page() -> Outline<'static> {
    let mut page = Outline::of_body();
    page.title = "A roof of glass";
    let labels = ["", "post content", "sidebar", "comment"];
    for (label, node) in labels.into_iter().zip(1..) {
        page.nodes.push(Node {
            parent: node / 2,
            label,
            ..Node::default()
        });
    }
    let texts = ["Imprint", "The committee met on Monday, as it does.", ""];
    for at in 0..20 {
        let text = texts[at as usize % texts.len()];
        page.spans.push(Span {
            node: at % 5,
            text,
            link_chars: if at % 4 == 0 { text.len() as u32 } else { 0 },
            links: at % 2,
        });
    }
    page
}
