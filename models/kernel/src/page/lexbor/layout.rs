//! The layout of lexbor's structs.
//!
//! They repeat those of lexbor 3.0 as shipped in selectolax 1.0.2
//! (`lexbor/dom/interfaces/{node,element,attr,character_data}.h`, `lexbor/core/{str,hash}.h`),
//! which is why the project pins that version and tests itself on a known document at import.

use std::ffi::c_void;

#[repr(C)]
pub struct RawNode {
    pub events: *const c_void,
    pub local_name: usize,
    pub prefix: usize,
    pub namespace: usize,
    pub owner_document: *const c_void,
    pub next: *const RawNode,
    pub prev: *const RawNode,
    pub parent: *const RawNode,
    pub first_child: *const RawNode,
    pub last_child: *const RawNode,
    pub user: *const c_void,
    pub node_type: u32,
}

#[repr(C)]
pub struct RawText {
    pub node: RawNode,
    pub data: RawString,
}

#[repr(C)]
pub struct RawString {
    pub data: *const u8,
    pub length: usize,
}

#[repr(C)]
pub struct RawElement {
    pub node: RawNode,
    pub upper_name: usize,
    pub qualified_name: usize,
    pub is_value: *const RawString,
    pub first_attribute: *const RawAttribute,
}

#[repr(C)]
pub struct RawAttribute {
    pub node: RawNode,
    pub upper_name: usize,
    pub qualified_name: usize,
    pub value: *const RawString,
    pub owner: *const RawElement,
    pub next: *const RawAttribute,
}

/// A name in lexbor's hash tables; short ones are stored in place.
#[repr(C)]
pub struct RawName {
    pub text: RawNameText,
    pub length: usize,
}

#[repr(C)]
pub union RawNameText {
    pub long: *const u8,
    pub short: [u8; SHORT_NAME + 1],
}

pub const SHORT_NAME: usize = 16;
