//! Commands that set or show the position.

use super::Session;
use game::{Game, Position, Script};

impl<G: Game> Session<G> {
    pub(super) fn set_position(&mut self, arguments: &str) {
        let output = &self.context.output;
        let mut remark = |remark: &str| output.info(format_args!("Warning! {remark}"));
        match self.game.position_command_remarked(arguments, &mut remark) {
            Ok(position) => self.position = position,
            Err(error) => {
                let extension = self.context.extension_of(self.game.name());
                match extension.and_then(|extension| (extension.refusal)(arguments)) {
                    Some(reason) => self.context.output.error(reason),
                    None => self.context.output.error(error),
                }
            }
        }
    }

    pub(super) fn replace(&mut self, position: Option<G::Position>, command: &str) {
        match position {
            Some(position) => self.position = position,
            None => self.context.output.error(format_args!("{} has no `{command}`", self.game.name())),
        }
    }

    pub(super) fn display(&self, script: Script) {
        let picture = self.game.picture(&self.position, script);
        let mut lines = vec![picture.trim_end().to_owned(), format!("sfen {}", self.position.to_text())];
        lines.extend(self.position.outcome().map(|outcome| outcome.to_string()));
        self.context.output.line(lines.join("\n"));
    }

    pub(super) fn list_moves(&self) {
        let moves: Vec<String> = self.position.legal_moves().iter().map(ToString::to_string).collect();
        self.context.output.line(moves.join(" "));
    }
}
