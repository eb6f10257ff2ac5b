//! Errors and warnings about a file of variants.

use std::fmt;

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The line is ignored, or does something unexpected.
    Warning,
    /// The variant is refused.
    Error,
}

/// A remark on a line of a file.
///
/// ```
/// use fairy::Library;
/// let mut library = Library::shipped();
/// let report = library.read("[tiny:minishogi]\nmaxRanks = 4\n");
/// assert_eq!(report.messages[0].to_string(), "line 2: warning: [tiny] maxRanks: unknown key; ignored");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The line, from 1.
    pub line: usize,
    /// Its severity.
    pub severity: Severity,
    /// The section, if the line is in one.
    pub section: String,
    /// The key, if it concerns one.
    pub key: String,
    /// What is wrong.
    pub text: String,
}

impl Message {
    pub(crate) fn new(
        severity: Severity,
        line: usize,
        section: &str,
        key: &str,
        text: impl Into<String>,
    ) -> Self {
        Self { line, severity, section: section.to_owned(), key: key.to_owned(), text: text.into() }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "line {}: {severity}:", self.line)?;
        if !self.section.is_empty() {
            write!(f, " [{}]", self.section)?;
        }
        if !self.key.is_empty() {
            write!(f, " {}:", self.key)?;
        }
        write!(f, " {}", self.text)
    }
}
