//! How a command fails: one line that says what, why, and what to do.

use std::fmt;
use std::io;

/// The result of everything here.
pub type Result<T> = std::result::Result<T, Failure>;

/// What went wrong, in one line for the person at the terminal.
#[derive(Debug)]
pub struct Failure {
    what: String,
    why: String,
    remedy: String,
}

impl Failure {
    /// A failure of `what`, for the reason `why`; `remedy` says what the reader can do.
    pub fn new(what: impl Into<String>, why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            why: why.into(),
            remedy: remedy.into(),
        }
    }

    /// Something that the operating system refused, such as writing to a full disk.
    pub fn io(what: impl Into<String>, error: &io::Error) -> Self {
        Self::new(what, error.to_string(), "")
    }

    /// The same failure with another advice.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// The same failure as a part of something larger.
    pub fn within(mut self, what: &str) -> Self {
        self.what = format!("{what}: {}", self.what);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}
