//! File names that are valid on every system.

/// Devices of Windows: no file can have these names, with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Numbered devices; the digits may also be superscripts.
const NUMBERED: [&str; 2] = ["COM", "LPT"];

/// `name` as a file name that is valid on every system: letters, digits and `-_.` stay, everything else becomes `_`.
///
/// ```
/// assert_eq!(platform::file_name("A b/../c:日本"), "A_b_.._c_日本");
/// assert_eq!(platform::file_name("aux.kif"), "_aux.kif");
/// ```
#[must_use]
pub fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    portable(&name.chars().map(plain).collect::<String>())
}

/// A name from another system, changed only if Windows would refuse it: the characters `<>:"|?*\`, names of devices,
/// dots and blanks at the end.
#[must_use]
pub fn portable(name: &str) -> String {
    let refused = |c: char| c.is_control() || "<>:\"|?*\\/".contains(c);
    let mut name: String = name.chars().map(|c| if refused(c) { '_' } else { c }).collect();
    let kept = name.trim_end_matches(['.', ' ']).len();
    if kept < name.len() || name.is_empty() {
        name.truncate(kept);
        name.push('_');
    }
    if is_device(&name) { format!("_{name}") } else { name }
}

/// Windows compares the part before the first dot, without blanks at its end.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    let numbered = |device: &&str| {
        let rest = stem.get(..device.len()).filter(|start| start.eq_ignore_ascii_case(device));
        let mut digits = rest.map_or("", |_| &stem[device.len()..]).chars();
        matches!((digits.next(), digits.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
    };
    DEVICES.iter().any(|device| is(device)) || NUMBERED.iter().any(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_refuses_are_changed_and_all_others_stay() {
        for (name, expected) in [
            ("con", "_con"),
            ("CON.stderr.txt", "_CON.stderr.txt"),
            ("Aux .kif", "_Aux .kif"),
            ("lpt9", "_lpt9"),
            ("COM¹.txt", "_COM¹.txt"),
            ("com10", "com10"),
            ("COM", "COM"),
            ("console", "console"),
            ("日本", "日本"),
            ("第1局 a.kif", "第1局 a.kif"),
            ("12:30.kif", "12_30.kif"),
            ("a\\b?.kif", "a_b_.kif"),
            ("end.. .", "end_"),
            ("...", "_"),
            ("", "_"),
        ] {
            assert_eq!(portable(name), expected, "{name}");
            assert_eq!(portable(expected), expected, "{expected}");
        }
    }
}
