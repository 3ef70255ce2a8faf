//! Pages in, text out: a JSON line each way, as lab/measure/peers/tools.py describes.

use std::io::{BufRead, Write};

use serde_json::{Value, json};

fn cpu_ms() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a valid timespec that outlives the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let page: Value = serde_json::from_str(&line?)?;
        let html = page["html"].as_str().unwrap_or_default();
        let started = cpu_ms();
        let result = rs_trafilatura::extract(html);
        let spent = cpu_ms() - started;
        let reply = match result {
            Ok(found) => json!({"text": found.content_text, "cpu_ms": spent}),
            Err(error) => json!({"text": "", "cpu_ms": spent, "error": error.to_string()}),
        };
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}
