//! The language of texts for users.

use std::str::FromStr;

/// The language of texts for users. Texts for programs (USI, records, JSON) are the same in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

/// The variables that set a locale; the first one that is set counts.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

impl Language {
    /// The language of the environment: `LC_ALL`, `LC_MESSAGES` or `LANG`; on Windows, where these are seldom set, the
    /// user-interface language.
    #[must_use]
    pub fn of_environment() -> Self {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        match VARIABLES.into_iter().find_map(set) {
            Some(locale) => Self::of_locale(&locale),
            None => Self::of_system(),
        }
    }

    /// The language of a locale such as `ja_JP.UTF-8`.
    fn of_locale(locale: &str) -> Self {
        let language = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("ja") { Self::Japanese } else { Self::English }
    }

    #[cfg(windows)]
    fn of_system() -> Self {
        /// The lower ten bits of a language identifier are the language, the others a country.
        const LANGUAGE: u16 = 0x3ff;
        const JAPANESE: u16 = 0x11;
        // SAFETY: the function has no arguments.
        let id = unsafe { windows_sys::Win32::Globalization::GetUserDefaultUILanguage() };
        if id & LANGUAGE == JAPANESE { Self::Japanese } else { Self::English }
    }

    #[cfg(not(windows))]
    fn of_system() -> Self {
        Self::English
    }

    /// One of two texts.
    #[must_use]
    pub const fn say<'a>(self, english: &'a str, japanese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Japanese => japanese,
        }
    }
}

/// There is no language of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected en or ja")]
pub struct ParseLanguageError;

impl FromStr for Language {
    type Err = ParseLanguageError;

    fn from_str(word: &str) -> Result<Self, ParseLanguageError> {
        match word {
            "en" => Ok(Self::English),
            "ja" => Ok(Self::Japanese),
            _ => Err(ParseLanguageError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales() {
        for locale in ["ja", "ja_JP.UTF-8", "ja_JP.eucJP", "JA", "ja-JP", "ja@x"] {
            assert_eq!(Language::of_locale(locale), Language::Japanese, "{locale}");
        }
        for locale in ["C", "C.UTF-8", "POSIX", "en_US.UTF-8", "jav_ID", "de", ""] {
            assert_eq!(Language::of_locale(locale), Language::English, "{locale}");
        }
        assert_eq!("ja".parse(), Ok(Language::Japanese));
        assert!("jp".parse::<Language>().is_err());
    }
}
