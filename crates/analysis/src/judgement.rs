//! How good a move was: win rates, losses, accuracy. Nothing here starts or waits for anything.

use arena::Score;
use serde::Serialize;

/// Centipawns at which the side to move wins e/(e+1) = 73 % of the games: the constant that `ShogiHome` uses.
pub const WIN_RATE_SCALE: f64 = 600.0;

/// Losses of win rate from which on a move is an inaccuracy, a mistake, a blunder.
pub const THRESHOLDS: [f64; 3] = [0.05, 0.10, 0.20];

/// How fast the accuracy of a move falls with its loss: a loss of 20 % leaves 41 of 100.
const ACCURACY_FALL: f64 = 4.5;

/// The share of games, from 0 to 1, that the side with this score wins: 1/(1 + exp(-cp/600)), and 0 or 1 for mates.
///
/// ```
/// use analysis::judgement::win_rate;
/// use arena::Score;
/// assert_eq!(win_rate(Score::Centipawns(0)), 0.5);
/// assert!((win_rate(Score::Centipawns(600)) - 0.731).abs() < 0.001);
/// assert_eq!((win_rate(Score::Mate(7)), win_rate(Score::Mate(-2))), (1.0, 0.0));
/// ```
#[must_use]
pub fn win_rate(score: Score) -> f64 {
    match score {
        Score::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / WIN_RATE_SCALE).exp()),
        Score::Mate(plies) => f64::from(u8::from(plies > 0)),
    }
}

/// What kind of move it was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The engine's choice.
    Best,
    /// As good, or nearly.
    Good,
    /// 緩手
    Inaccuracy,
    /// 疑問手
    Mistake,
    /// 悪手
    Blunder,
}

impl Class {
    /// Its Japanese name, for moves that are worth a word.
    #[must_use]
    pub const fn japanese(self) -> Option<&'static str> {
        match self {
            Self::Best | Self::Good => None,
            Self::Inaccuracy => Some("緩手"),
            Self::Mistake => Some("疑問手"),
            Self::Blunder => Some("悪手"),
        }
    }
}

/// What a move was worth.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Judgement {
    /// Win rate that it gave away, from 0 to 1.
    pub loss: f64,
    /// 100 for nothing given away, towards 0 the more there was.
    pub accuracy: f64,
    /// What kind of move it was.
    pub class: Class,
}

impl Judgement {
    /// Judges a move by the win rates of its player before it (with the best move) and after it.
    ///
    /// The loss is the difference, never below 0, and 0 for the engine's own choice. The accuracy is 100 · exp(-4.5 · loss).
    ///
    /// ```
    /// use analysis::judgement::{Class, Judgement};
    /// let judged = Judgement::new(0.75, 0.5, false);
    /// assert_eq!((judged.loss, judged.class), (0.25, Class::Blunder));
    /// assert_eq!(judged.accuracy.round(), 32.0);
    /// assert_eq!(Judgement::new(0.75, 0.5, true).class, Class::Best);
    /// assert_eq!(Judgement::new(0.5, 0.75, false).accuracy, 100.0);
    /// ```
    #[must_use]
    pub fn new(before: f64, after: f64, is_best: bool) -> Self {
        let loss = if is_best { 0.0 } else { (before - after).max(0.0) };
        let class = match THRESHOLDS.iter().filter(|threshold| loss >= **threshold).count() {
            0 if is_best => Class::Best,
            0 => Class::Good,
            1 => Class::Inaccuracy,
            2 => Class::Mistake,
            _ => Class::Blunder,
        };
        Self { loss, accuracy: 100.0 * (-ACCURACY_FALL * loss).exp(), class }
    }
}

/// The moves of one player together.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// How many were judged.
    pub moves: u32,
    /// The mean of their accuracies; 0 without moves.
    pub accuracy: f64,
    /// The mean of their losses; 0 without moves.
    pub mean_loss: f64,
    /// How many were the engine's choice.
    pub best: u32,
    /// How many were inaccuracies.
    pub inaccuracies: u32,
    /// How many were mistakes.
    pub mistakes: u32,
    /// How many were blunders.
    pub blunders: u32,
    /// How often there was a mate that was not played.
    pub missed_mates: u32,
}

impl Summary {
    /// Puts moves together; the flag tells of a missed mate.
    #[must_use]
    pub fn of(moves: impl IntoIterator<Item = (Judgement, bool)>) -> Self {
        let mut all = Self::default();
        for (judgement, missed_mate) in moves {
            all.moves += 1;
            all.accuracy += judgement.accuracy;
            all.mean_loss += judgement.loss;
            all.missed_mates += u32::from(missed_mate);
            match judgement.class {
                Class::Best => all.best += 1,
                Class::Good => {}
                Class::Inaccuracy => all.inaccuracies += 1,
                Class::Mistake => all.mistakes += 1,
                Class::Blunder => all.blunders += 1,
            }
        }
        if all.moves > 0 {
            all.accuracy /= f64::from(all.moves);
            all.mean_loss /= f64::from(all.moves);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_begin_at_their_thresholds() {
        let class = |loss: f64| Judgement::new(1.0, 1.0 - loss, false).class;
        assert_eq!(class(0.049), Class::Good);
        assert_eq!(class(0.051), Class::Inaccuracy);
        assert_eq!(class(0.101), Class::Mistake);
        assert_eq!(class(0.201), Class::Blunder);
        assert_eq!(class(1.0), Class::Blunder);
    }

    #[test]
    fn summaries_are_means() {
        let moves = [Judgement::new(0.5, 0.5, true), Judgement::new(0.6, 0.3, false)];
        let all = Summary::of(moves.map(|judgement| (judgement, judgement.loss > 0.1)));
        assert_eq!((all.moves, all.best, all.blunders, all.missed_mates), (2, 1, 1, 1));
        assert!((all.mean_loss - 0.15).abs() < 1e-9);
        assert!((all.accuracy - f64::midpoint(100.0, moves[1].accuracy)).abs() < 1e-9);
        assert_eq!(Summary::of([]), Summary::default());
    }
}
