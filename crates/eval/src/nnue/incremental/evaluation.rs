//! A network as an evaluation for the search.

use crate::nnue::incremental::accumulators::Accumulators;
use crate::nnue::network::packed::Scratch;
use crate::nnue::{Isa, Network, scale};
use game::Evaluation;
use shogi::{Change, Position};
use std::sync::Arc;

/// Values by a network, kept up to date move by move.
///
/// Clones share the network; use one per thread.
///
/// ```
/// use eval::nnue::{Architecture, Features, Network, NnueEvaluation, Parameters};
/// use game::Evaluation;
/// use shogi::Position;
/// use std::sync::Arc;
/// let shape = Architecture::classic(Features::HalfKp, 32, 8, 32);
/// let network = Arc::new(Network::new(Parameters::random(&shape, 1)));
/// let mut evaluation = NnueEvaluation::new(Arc::clone(&network), 16);
/// let mut position = Position::startpos();
/// evaluation.refresh(&position);
///
/// let mut changes = Vec::new();
/// position.do_move_observed("7g7f".parse()?, |change| changes.push(change));
/// evaluation.push(&changes);
/// let from_scratch = eval::nnue::scale(network.parameters().evaluate(&position), 16);
/// assert_eq!(evaluation.value(&position), from_scratch);
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NnueEvaluation {
    network: Arc<Network>,
    fv_scale: i32,
    accumulators: Accumulators,
    scratch: Scratch,
}

impl NnueEvaluation {
    /// An evaluation by `network`, divided by `fv_scale` (the option `FV_SCALE`: 16 for most networks, 24 for some).
    #[must_use]
    pub fn new(network: Arc<Network>, fv_scale: i32) -> Self {
        let accumulators = Accumulators::new(&network);
        let scratch = network.scratch();
        Self { network, fv_scale, accumulators, scratch }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The same network on another instruction set, which makes a copy of it.
    #[must_use]
    pub fn on(&self, isa: Isa) -> Self {
        let network = Network::with_isa(self.network.parameters().clone(), isa);
        Self::new(Arc::new(network), self.fv_scale)
    }

    /// The divisor of values (the option `FV_SCALE`).
    #[must_use]
    pub fn fv_scale(&self) -> i32 {
        self.fv_scale
    }

    /// Changes the option `FV_SCALE`.
    pub fn set_fv_scale(&mut self, fv_scale: i32) {
        self.fv_scale = fv_scale;
    }

    /// The value before it is divided by `FV_SCALE`.
    #[inline]
    pub fn raw_value(&mut self, position: &Position) -> i32 {
        let [us, them] = self.accumulators.sums(&self.network, position);
        let value = self.network.forward(position, us, them, &mut self.scratch);
        debug_assert_eq!(value, self.network.parameters().evaluate(position), "{}", position.sfen());
        value
    }
}

impl Evaluation<Position> for NnueEvaluation {
    /// A pawn's value.
    const HUNDRED_CENTIPAWNS: i32 = 90;

    fn refresh(&mut self, position: &Position) {
        self.accumulators.reset(&self.network, position);
    }

    #[inline]
    fn push(&mut self, changes: &[Change]) {
        self.accumulators.push(changes);
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    #[inline]
    fn value(&mut self, position: &Position) -> i32 {
        scale(self.raw_value(position), self.fv_scale)
    }
}
