//! Checks the layering: dependencies between crates are those of docs/architecture.md, code for an operating system is in
//! `platform` only, and no path of one machine is in the tree.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/tsumugi has a repository").into()
}

/// The rows `| crate | uses |` of the section "Which crate uses which".
fn documented_dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(repository().join("docs/architecture.md")).unwrap();
    let (_, section) = text.split_once("## Which crate uses which").expect("the section is there");
    let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let name = cells.next().unwrap().trim_matches('`').to_owned();
            let used = cells.next().unwrap().split_whitespace().map(str::to_owned).collect();
            (name, used)
        })
        .collect()
}

/// What each crate of the workspace depends on, tests and examples left out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(repository().join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let crate_name = |name: &Value| {
        let name = name.as_str().unwrap();
        name.strip_prefix("tsumugi-").or((name == "tsumugi").then_some(name)).map(str::to_owned)
    };
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .filter_map(|package| {
            let used = package["dependencies"].as_array().unwrap();
            let used = used
                .iter()
                .filter(|used| used["kind"].is_null())
                .filter_map(|used| crate_name(&used["name"]));
            Some((crate_name(&package["name"])?, used.collect()))
        })
        .collect()
}

#[test]
fn dependencies_are_those_of_the_document() {
    let (documented, dependencies) = (documented_dependencies(), dependencies());
    assert!(dependencies.len() >= 16, "{dependencies:?}");
    let names = |map: &BTreeMap<String, BTreeSet<String>>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        names(&documented),
        names(&dependencies),
        "crates of docs/architecture.md and of the workspace"
    );
    for (name, used) in &dependencies {
        assert_eq!(&documented[name], used, "what `{name}` uses: docs/architecture.md and its Cargo.toml");
    }
}

/// Tracked text files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn only_platform_has_code_for_an_operating_system() {
    let mut found = Vec::new();
    for folder in std::fs::read_dir(repository().join("crates")).unwrap() {
        let source = folder.unwrap().path().join("src");
        if !source.starts_with(repository().join("crates/platform")) {
            files(&source, &mut found);
        }
    }
    assert!(found.len() > 300, "{}", found.len());
    let words =
        ["cfg(unix", "cfg(windows", "cfg(not(unix", "cfg(not(windows", "target_os", "libc::", "rustix::"];
    let guilty: Vec<_> = found
        .iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(path).ok()?;
            words.iter().find(|word| text.contains(**word)).map(|word| (path, word))
        })
        .collect();
    assert!(guilty.is_empty(), "what belongs into crate platform: {guilty:?}");
}

#[test]
fn no_path_of_one_machine_is_in_the_tree() {
    let mut found = Vec::new();
    for folder in ["crates", "docs", "tools", "examples", "nets", "books", ".ci"] {
        files(&repository().join(folder), &mut found);
    }
    // Spelled in two pieces, so that this file is not found.
    let paths = ["work", "root", "home"].map(|folder| format!("/{folder}/"));
    let guilty: Vec<_> = found
        .iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(path).ok()?;
            let names = |line: &&str| {
                paths.iter().any(|start| {
                    line.match_indices(start).any(|(at, _)| {
                        let before = line[..at].chars().next_back();
                        let after = line[at + start.len()..].chars().next();
                        before.is_none_or(|c| !c.is_alphanumeric() && !"./_-$}".contains(c))
                            && after.is_some_and(|c| c.is_ascii_lowercase())
                    })
                })
            };
            text.lines().find(names).map(|line| format!("{}: {line}", path.display()))
        })
        .collect();
    assert!(guilty.is_empty(), "{guilty:#?}");
}
