//! Writes a model file: to a temporary name next to the target, then by renaming, so that a process
//! that has mapped the old file keeps it unchanged.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::Xxh3;

use super::layout::{self, ALIGNMENT, HEADER_BYTES, Section};

/// Writes the sections of a model in order; dropped unfinished, it leaves no file on disk.
pub struct Writer {
    file: BufWriter<File>,
    target: PathBuf,
    temporary: PathBuf,
    sections: Vec<(Section, Range<u64>)>,
    position: u64,
    sum: Xxh3,
    digest: Sha256,
    finished: bool,
}

impl Writer {
    /// Begins a model with the path `target`.
    pub fn create(target: &Path) -> io::Result<Self> {
        let name = target
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
        let temporary = target.with_file_name(format!(
            ".{}.{}.tmp",
            name.to_string_lossy(),
            std::process::id()
        ));
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&temporary)?;
        let mut writer = Self {
            file: BufWriter::with_capacity(1 << 18, file),
            target: target.to_path_buf(),
            temporary,
            sections: Vec::new(),
            position: HEADER_BYTES as u64,
            sum: Xxh3::new(),
            digest: Sha256::new(),
            finished: false,
        };
        writer.file.write_all(&[0; HEADER_BYTES])?;
        Ok(writer)
    }

    /// Begins the next section.
    pub fn begin(&mut self, section: Section) -> io::Result<()> {
        let padding = self.position.next_multiple_of(ALIGNMENT as u64) - self.position;
        self.put(&[0; ALIGNMENT][..padding as usize])?;
        self.sections.push((section, self.position..self.position));
        Ok(())
    }

    /// Adds bytes to the current section.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.put(bytes)?;
        if let Some((_, range)) = self.sections.last_mut() {
            range.end = self.position;
        }
        Ok(())
    }

    /// Writes a whole section.
    pub fn section(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.begin(section)?;
        self.write(bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.sum.update(bytes);
        self.digest.update(bytes);
        self.position += bytes.len() as u64;
        Ok(())
    }

    /// Writes the header, makes everything durable and renames the file.
    pub fn finish(mut self) -> io::Result<()> {
        let digest = std::mem::take(&mut self.digest).finalize();
        let header = layout::header(&self.sections, self.position, self.sum.digest(), &digest);
        self.file.rewind()?;
        self.file.write_all(&header)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.temporary, &self.target)?;
        self.finished = true;
        let folder = self
            .target
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.finished {
            // if a temporary file cannot be removed, there is nothing to do about it
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
