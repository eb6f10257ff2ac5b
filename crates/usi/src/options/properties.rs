//! Property: whatever text arrives, an option keeps a legal value.

use super::setting::Setting;
use super::{Features, Options, PlayOptions, SetOption};
use proptest::prelude::*;

/// The common options, and one of every kind that these lack.
fn options() -> Options {
    let mut options = Options::new();
    let features = Features { pointless_moves: true, ..Features::default() };
    PlayOptions::declare(&mut options, &features);
    options.combo("Rule", "b", &["a", "b", "c"], "");
    let other = options.combo("Books", "a.db", &["a.db", "b.db"], "");
    options.open_choices(other);
    options.filename("Book File", "my book.db", "");
    options.button("Clear Hash", "");
    options
}

fn assert_legal(options: &Options) {
    for entry in options.iter() {
        let legal = match &entry.setting {
            Setting::Check { .. } | Setting::Button => true,
            Setting::Spin { value, min, max, .. } => min <= value && value <= max,
            Setting::Combo { value, choices, .. } => *value < choices.len(),
            Setting::Text { value, .. } => !value.contains(['\n', '\r', '\t', '\0']) && value != "<empty>",
        };
        assert!(legal, "{entry}: {}", entry.value());
    }
}

/// Includes control characters and line ends, which `any::<String>()` never generates.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["(?s).{0,30}", "[ -~\\t\\r\\n\\x00]{0,30}"]
}

fn name() -> impl Strategy<Value = String> {
    let names: Vec<String> = options().iter().map(|entry| entry.name().to_owned()).collect();
    prop_oneof![4 => proptest::sample::select(names), 1 => "[A-Za-z_ ]{0,12}", 1 => any_text()]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        (-3..2000_i64).prop_map(|number| number.to_string()),
        proptest::sample::select(vec!["true", "false", "a", "c", "", "<empty>", "value", "=", "default x"])
            .prop_map(str::to_owned),
        any_text(),
    ]
}

/// A line in any of the forms that set an option, or other text.
fn line() -> impl Strategy<Value = String> {
    let forms = vec!["name N value V", "N V", "N=V", "N = V\r", "option name N type T default V min 1 max 2"];
    let formed = (proptest::sample::select(forms), name(), value())
        .prop_map(|(form, name, value)| form.replace('V', &value).replace('N', &name));
    prop_oneof![9 => formed, 1 => any_text()]
}

proptest! {
    #[test]
    fn no_line_leaves_an_illegal_value(lines in proptest::collection::vec((line(), 0..3_u8), 1..20)) {
        let mut options = options();
        for (line, reader) in lines {
            let messages = match reader {
                0 => SetOption::parse(&line)
                    .map_err(|error| error.to_string())
                    .and_then(|command| command.apply(&mut options).map_err(|error| error.to_string()))
                    .err()
                    .into_iter()
                    .collect(),
                1 => match options.shorthand(&line) {
                    Some(Ok(answer)) => vec![answer.line],
                    Some(Err(error)) => vec![error.to_string()],
                    None => vec![],
                },
                _ => options.override_from(&line).messages,
            };
            for message in messages {
                prop_assert!(message.bytes().all(|b| matches!(b, b' '..=b'~')), "{}", message);
                prop_assert!(message.len() < 6000, "{}", message);
            }
            assert_legal(&options);
            let described = options.describe("").unwrap();
            prop_assert!(described.iter().all(|line| line.is_ascii() && !line.contains('\n')));
        }
    }

    #[test]
    fn printed_lines_read_back_as_the_defaults(lines in proptest::collection::vec(line(), 0..20)) {
        let mut changed = options();
        for line in lines {
            let _ = changed.shorthand(&line);
        }
        let chosen = changed.clone();
        let printed: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let overrides = changed.override_from(&printed.join("\r\n"));
        prop_assert!(overrides.messages.iter().all(|message| message.starts_with("engine option override.")));
        for (now, chosen) in changed.iter().zip(chosen.iter()) {
            prop_assert_eq!(&now.setting, &chosen.setting);
            prop_assert!(!now.is_fixed());
        }
    }

    #[test]
    fn values_shown_can_be_given(lines in proptest::collection::vec(line(), 0..20)) {
        let mut changed = options();
        for line in lines {
            let _ = changed.shorthand(&line);
        }
        let mut copy = options();
        for entry in changed.iter() {
            let command = SetOption::parse(&format!("name {} value {}", entry.name(), entry.value())).unwrap();
            prop_assert!(command.apply(&mut copy).is_ok());
        }
        for (a, b) in changed.iter().zip(copy.iter()) {
            prop_assert_eq!(&a.setting, &b.setting);
        }
    }
}
