//! Names that come from a page, resolved below a folder and nowhere else.

use crate::protocol::{Refusal, RefusalCode};
use std::path::{Component, Path, PathBuf};

/// The existing file or folder of a name below a folder. Names with `..`, drives or a root are refused, and so are links that
/// lead out of the folder.
pub fn below(folder: &Path, name: &str) -> Result<PathBuf, Refusal> {
    let shown: String = name.chars().take(80).collect();
    let refused = |why: &str| Refusal::new(RefusalCode::Unknown, format!("`{shown}`: {why}"));
    let plain = |component: Component<'_>| matches!(component, Component::Normal(_));
    if name.is_empty() || name.contains(['\0', '\\', ':']) || !Path::new(name).components().all(plain) {
        return Err(refused("not a name below the folder"));
    }
    let root = folder.canonicalize().map_err(|error| refused(&error.to_string()))?;
    let path = root.join(name).canonicalize().map_err(|_| refused("not found"))?;
    if path.starts_with(&root) { Ok(path) } else { Err(refused("leads out of the folder")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_below_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(root.join("sub/a.db"), "x").unwrap();
        std::fs::write(folder.path().join("secret"), "x").unwrap();
        assert!(below(&root, "sub/a.db").is_ok());
        for name in [
            "",
            "..",
            "../secret",
            "sub/../../secret",
            "/etc/passwd",
            "C:\\x",
            "sub\\a.db",
            "none",
            "a\0b",
            "./../secret",
        ] {
            assert!(below(&root, name).is_err(), "{name}");
        }
    }
}
