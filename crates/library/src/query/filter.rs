//! Which games are wanted.

use crate::format::row::Text;
use crate::store::GameView;
use record::convert::Filter;

/// Games pass when they meet every wish. Texts fit where they contain what is asked for, whatever the case.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameFilter {
    /// Players, ratings, moves, results, dates.
    pub base: Filter,
    /// The game that was played.
    pub variant: Option<String>,
    /// Either side played one of these openings (our own names, or the record's 戦型).
    pub openings: Vec<String>,
    /// Either side built one of these castles.
    pub castles: Vec<String>,
    /// The event is one of these.
    pub events: Vec<String>,
    /// It ended in one of these ways, in Japanese.
    pub endings: Vec<String>,
    /// The name of its file contains one of these.
    pub files: Vec<String>,
}

impl GameFilter {
    /// Whether every game passes.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// The same games, but of one kind only.
    #[must_use]
    pub fn of_variant(&self, variant: &str) -> Self {
        Self { variant: Some(variant.to_owned()), ..self.clone() }
    }

    pub(crate) fn passes(&self, view: &GameView<'_>) -> bool {
        let GameView { segment, row, .. } = view;
        let any = |wanted: &[String], texts: &[Text]| {
            wanted.is_empty()
                || texts.iter().any(|text| {
                    let text = segment.text(row, *text).to_lowercase();
                    wanted.iter().any(|wanted| text.contains(&wanted.to_lowercase()))
                })
        };
        self.variant.as_ref().is_none_or(|name| segment.text(row, Text::Variant) == name)
            && self.base.accepts(view)
            && any(&self.openings, &[Text::BlackOpening, Text::WhiteOpening, Text::GivenOpening])
            && any(&self.castles, &[Text::BlackCastle, Text::WhiteCastle])
            && any(&self.events, &[Text::Event])
            && any(&self.endings, &[Text::Ending])
            && (self.files.is_empty() || {
                let path = segment.path(row.file).to_lowercase();
                self.files.iter().any(|wanted| path.contains(&wanted.to_lowercase()))
            })
    }
}
