//! Compiles lexbor, so that the walk reads trees that lexbor itself has built.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that parsing a page needs.
const MODULES: [&str; 6] = ["core", "dom", "html", "ns", "ports/posix", "tag"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=LEXBOR_SOURCE");
    println!("cargo:rerun-if-env-changed=LEXBOR_SANITIZER");
    let source = env::var_os("LEXBOR_SOURCE").ok_or("LEXBOR_SOURCE is not set: run `make fuzz`")?;
    let source = PathBuf::from(source);
    let mut files = Vec::new();
    for module in MODULES {
        add_sources(&source.join("lexbor").join(module), &mut files)?;
    }
    files.sort();
    let mut build = cc::Build::new();
    build
        .files(files)
        .include(&source)
        .define("LEXBOR_STATIC", None)
        .opt_level(2)
        .warnings(false);
    if env::var_os("LEXBOR_SANITIZER").is_some() {
        // lexbor then tells the sanitizer which bytes of its arenas are in use
        build
            .flag("-fsanitize=address")
            .flag("-fno-omit-frame-pointer")
            .define("LEXBOR_HAVE_ADDRESS_SANITIZER", None);
    }
    build.try_compile("lexbor")?;
    Ok(())
}

fn add_sources(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_sources(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    Ok(())
}
