//! Sets `avx512` where the compiler knows these instructions: Rust 1.89 or newer, for x86-64.

use std::env;
use std::process::Command;

/// The minor version of Rust that has them.
const FIRST: u32 = 89;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(avx512)");
    let is_known = minor_version().is_some_and(|minor| minor >= FIRST);
    if is_known && env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "x86_64") {
        println!("cargo:rustc-cfg=avx512");
    }
}

/// The second number of the compiler's version, as in `rustc 1.95.0`.
fn minor_version() -> Option<u32> {
    let answer = Command::new(env::var_os("RUSTC")?)
        .arg("--version")
        .output();
    let version = String::from_utf8(answer.ok()?.stdout).ok()?;
    version.split('.').nth(1)?.parse().ok()
}
