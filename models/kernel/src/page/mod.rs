//! Bytes of a page to the table of its blocks, and blocks with verdicts to text.
//!
//! The way of a page: [`prepare`] finds charset and form and refuses what cannot be cleaned,
//! selectolax parses, [`walk`] cuts lexbor's tree into [`blocks`], [`render`] joins what is kept.

pub mod addresses;
pub mod attributes;
pub mod blocks;
pub mod charset;
mod counts;
pub mod declared;
pub mod detection;
mod element_attributes;
pub mod elements;
pub mod formulas;
pub mod frames;
pub mod guard;
pub mod html_tokens;
pub mod inline;
pub mod lexbor;
pub mod marks;
pub mod media;
pub mod names;
pub mod paths;
pub mod plain;
pub mod prepare;
pub mod prescan;
pub mod refusal;
pub mod render;
pub mod roles;
pub mod runs;
mod siblings;
pub mod statements;
mod strides;
pub mod tables;
pub mod tags;
pub mod tagset;
pub mod text;
pub mod walk;
