//! Bytes of a page -> the table of its blocks, and blocks with verdicts -> text.
//!
//! The steps of [`read`](crate::read): [`source`] finds charset and form and refuses invalid pages,
//! [`tree`] parses, [`walk`] cuts the tree into [`blocks`]. [`render`] joins the kept blocks.

pub mod addresses;
pub mod anchors;
pub mod attributes;
pub mod blocks;
mod cell_signs;
pub mod charset;
mod class_signs;
mod composed;
mod controls;
mod counts;
pub mod declared;
pub mod detection;
mod doubled;
mod element_attributes;
pub mod elements;
pub mod emoji;
pub(crate) mod encodings;
mod escaped;
pub mod formulas;
pub mod frames;
pub mod inline;
mod item_labels;
pub mod limits;
pub mod marks;
pub mod media;
mod misread;
mod near;
pub mod paths;
pub mod plain;
pub mod prescan;
mod quotations;
pub mod refusal;
pub mod render;
pub mod roles;
pub mod runs;
pub mod shifted;
mod siblings;
pub mod source;
pub mod statements;
mod strides;
mod table_parts;
mod table_role;
pub mod tables;
pub mod tags;
pub mod tagset;
pub mod text;
pub mod tree;
pub mod walk;
mod western;
