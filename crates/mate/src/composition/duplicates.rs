//! The same problem in another guise: mirrored, or with the colours exchanged.

use crate::Solver;
use shogi::{Color, Hand, Position};

/// A text that two problems share if they are the same but for mirror and colours. The defender's hand is left out,
/// because diagrams often do not give it.
///
/// ```
/// use mate::composition::problem_key;
/// use shogi::Position;
/// let problem = Position::from_sfen("7k1/9/6P2/9/9/9/9/9/9 b G 1")?;
/// assert_eq!(problem_key(&problem), problem_key(&problem.mirror().flip()));
/// # Ok::<(), shogi::SfenError>(())
/// ```
#[must_use]
pub fn problem_key(position: &Position) -> String {
    let mut setup = position.setup();
    if Solver::attacker(position) == Color::White {
        setup = setup.flip();
    }
    setup.hands[Color::White.index()] = Hand::EMPTY;
    setup.ply = 1;
    setup.to_string().min(setup.mirror().to_string())
}
