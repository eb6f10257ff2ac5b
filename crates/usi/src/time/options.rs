use super::Millis;

/// The options of time management, named as in `YaneuraOu`.
///
/// ```
/// use usi::time::{Millis, TimeOptions};
/// // 0.2 seconds a move on a clock of one second: the setting that YaneuraOu's manual gives.
/// let blitz = TimeOptions {
///     minimum_thinking_time: Millis(1000),
///     network_delay: Millis(800),
///     network_delay2: Millis(800),
///     ..TimeOptions::default()
/// };
/// assert!(blitz.round_up_to_full_second);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOptions {
    /// `NetworkDelay`: the usual delay until the clock stops.
    pub network_delay: Millis,
    /// `NetworkDelay2`: the largest delay, reserved at the end of the clock.
    pub network_delay2: Millis,
    /// `MinimumThinkingTime`: minimum time of a move, as far as the clock allows.
    pub minimum_thinking_time: Millis,
    /// `SlowMover`, in percent: a factor on the time of a move.
    pub slow_mover: u32,
    /// `RoundUpToFullSecond`: the host counts full seconds only, so started seconds are used up.
    pub round_up_to_full_second: bool,
    /// `USI_Ponder`: the opponent's time is used as well, so more of ours can be spent.
    pub usi_ponder: bool,
    /// `Stochastic_Ponder`: pondering is on another position, so it saves no time.
    pub stochastic_ponder: bool,
    /// `MaxMovesToDraw`: the ply after which the game is drawn; 0 for never.
    pub max_moves_to_draw: u32,
}

impl Default for TimeOptions {
    /// The defaults of `YaneuraOu` 9.
    fn default() -> Self {
        Self {
            network_delay: Millis(120),
            network_delay2: Millis(1120),
            minimum_thinking_time: Millis(2000),
            slow_mover: 100,
            round_up_to_full_second: true,
            usi_ponder: false,
            stochastic_ponder: false,
            max_moves_to_draw: 0,
        }
    }
}
