//! The setup phase: which pieces must or may be placed.

use crate::board::kind::{Form, Kind};
use crate::board::square::Squares;
use crate::definition::rules::MOST_GROUPS;
use crate::position::core::{Core, Hand};
use crate::variant::{Group, Kinds, Variant};
use game::Color;
use platform::random::mix;

/// The state of a player's setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SetupState {
    /// Whether it is still going on.
    pub(crate) active: bool,
    /// Pieces that must still be placed.
    left: Hand,
    /// Number of pieces placed of each group.
    usage: [u8; MOST_GROUPS],
    /// Kinds placed of each group.
    used: [Kinds; MOST_GROUPS],
}

impl SetupState {
    /// No setup, or a finished one.
    pub(crate) const OVER: Self = Self {
        active: false,
        left: [0; Kind::COUNT],
        usage: [0; MOST_GROUPS],
        used: [Kinds::NONE; MOST_GROUPS],
    };

    /// The kinds of a group that were placed.
    pub(crate) fn used(&self, group: usize) -> Kinds {
        self.used[group]
    }
}

impl Core {
    /// Starts both players' setup with their present hands.
    pub(crate) fn begin_setup(&mut self, variant: &Variant) {
        for color in Color::ALL {
            let hand = self.hands[color.index()];
            self.continue_setup(variant, color, &hand);
        }
    }

    /// The setup of a player who started with the hand `start` and still has a hand.
    pub(crate) fn continue_setup(&mut self, variant: &Variant, color: Color, start: &Hand) {
        let rules = &variant.setup[color.index()];
        let hand = self.hands[color.index()];
        let mut state = SetupState::OVER;
        for kind in rules.kinds.iter() {
            state.left[kind.index()] = hand[kind.index()].min(start[kind.index()]);
        }
        for (place, group) in rules.groups.iter().enumerate().filter(|(_, group)| group.required) {
            let gone = |kind: &Kind| start[kind.index()] > hand[kind.index()];
            let missing: u32 = group
                .options
                .iter()
                .filter(gone)
                .map(|kind| u32::from(start[kind.index()] - hand[kind.index()]))
                .sum();
            let finished = missing > u32::from(group.limit);
            // After the setup, unused pieces are removed from the hand: the chosen kinds are those on the board.
            let placed = |kind: &Kind| !finished || self.stands_on_board(variant, color, *kind);
            state.used[place] = group.options.iter().filter(gone).filter(placed).collect();
            state.usage[place] = missing.min(u32::from(group.limit)) as u8;
        }
        self.setup[color.index()] = state;
        self.setup[color.index()].active = variant.rules.setup.drops && self.is_pending(variant, color);
    }

    fn stands_on_board(&self, variant: &Variant, color: Color, kind: Kind) -> bool {
        let is_one = |form: Form| form.origin() == kind && variant.has_form(form);
        self.of_color(color)
            .into_iter()
            .any(|square| self.piece_at(square).is_some_and(|piece| is_one(piece.form())))
    }

    /// Whether the player has something left to place.
    fn is_pending(&self, variant: &Variant, color: Color) -> bool {
        let (rules, state) = (&variant.setup[color.index()], &self.setup[color.index()]);
        let hand = &self.hands[color.index()];
        rules.kinds.iter().any(|kind| state.left[kind.index()] > 0 && hand[kind.index()] > 0)
            || rules.groups.iter().zip(state.usage).any(|(group, usage)| {
                group.required
                    && usage < group.limit
                    && group.options.iter().any(|kind| hand[kind.index()] > 0)
            })
    }

    fn groups_of(variant: &Variant, color: Color, kind: Kind) -> impl Iterator<Item = (usize, &Group)> {
        let groups = variant.setup[color.index()].groups.iter().enumerate();
        groups.filter(move |(_, group)| group.options.contains(kind))
    }

    /// Whether groups and setup allow a player to drop this kind.
    pub(crate) fn may_place(&self, variant: &Variant, color: Color, kind: Kind) -> bool {
        let state = &self.setup[color.index()];
        let barred = |(place, group): (usize, &Group)| {
            let full = state.usage[place] >= group.limit;
            full && (state.active || !group.required)
                || full && group.locks_unused && !state.used[place].contains(kind)
        };
        if Self::groups_of(variant, color, kind).any(barred) {
            return false;
        }
        !state.active
            || state.left[kind.index()] > 0
            || Self::groups_of(variant, color, kind).any(|(_, group)| group.required)
    }

    /// Kinds that are barred for the rest of the game.
    pub(crate) fn locked(&self, variant: &Variant, color: Color) -> Kinds {
        let state = &self.setup[color.index()];
        let groups = variant.setup[color.index()].groups.iter().enumerate();
        let full = groups.filter(|(place, group)| group.locks_unused && state.usage[*place] >= group.limit);
        full.flat_map(|(place, group)| {
            group.options.iter().filter(move |kind| !state.used[place].contains(*kind))
        })
        .collect()
    }

    /// Locks kinds, as in the text of a position (`lock:Rb`).
    pub(crate) fn lock(&mut self, variant: &Variant, color: Color, locked: Kinds) {
        for (place, group) in variant.setup[color.index()].groups.iter().enumerate() {
            if group.locks_unused && group.options.iter().any(|kind| locked.contains(kind)) {
                let state = &mut self.setup[color.index()];
                state.usage[place] = group.limit;
                state.used[place] = group.options.iter().filter(|kind| !locked.contains(*kind)).collect();
            }
        }
    }

    /// Squares where a player may drop at present.
    pub(crate) fn drop_zone(&self, variant: &Variant, color: Color) -> Squares {
        if self.setup[color.index()].active {
            variant.setup[color.index()].region
        } else {
            variant.drop_zone[color.index()]
        }
    }

    /// Records that a piece of this kind was dropped, which may end the setup. The end removes unused pieces from the
    /// hand.
    pub(crate) fn place(&mut self, variant: &Variant, color: Color, kind: Kind) {
        let rules = &variant.setup[color.index()];
        if rules.groups.is_empty() && !self.setup[color.index()].active {
            return;
        }
        let state = &mut self.setup[color.index()];
        for (place, group) in rules.groups.iter().enumerate() {
            if group.options.contains(kind) && (state.active || !group.required) {
                state.usage[place] = state.usage[place].saturating_add(1);
                state.used[place].insert(kind);
            }
        }
        if !state.active {
            return;
        }
        state.left[kind.index()] = state.left[kind.index()].saturating_sub(1);
        if !self.is_pending(variant, color) {
            self.setup[color.index()].active = false;
            let usage = self.setup[color.index()].usage;
            for (group, usage) in rules.groups.iter().zip(usage) {
                if group.required && usage >= group.limit {
                    for kind in group.options.iter() {
                        self.hands[color.index()][kind.index()] = 0;
                    }
                }
            }
        }
    }

    /// The setup's part in the key of a position.
    pub(crate) fn setup_key(&self, variant: &Variant, color: Color) -> u64 {
        let state = &self.setup[color.index()];
        if *state == SetupState::OVER {
            return 0;
        }
        let usage = state.usage.iter().fold(0, |sum, usage| sum << 8 | u64::from(*usage));
        let locked = u64::from(self.locked(variant, color).bits());
        // During the setup, the numbers left to place follow from the hand.
        let groups = if state.active { usage } else { usage & Self::lasting_usage(variant, color) };
        if !state.active && locked == 0 && groups == 0 {
            return 0;
        }
        mix(mix(groups) ^ (locked << 2 | u64::from(state.active) << 1 | color.index() as u64))
    }

    /// The bytes of usage that matter after the setup: those of groups that are not required.
    fn lasting_usage(variant: &Variant, color: Color) -> u64 {
        let groups = &variant.setup[color.index()].groups;
        (0..MOST_GROUPS).fold(0, |mask, place| {
            let lasts = groups.get(place).is_some_and(|group| !group.required);
            mask << 8 | if lasts { 0xff } else { 0 }
        })
    }
}

impl Variant {
    /// Number of pieces that both players place in a setup starting with these hands.
    pub(crate) fn setup_drops(&self, hands: &[Hand; 2]) -> u32 {
        Color::ALL.into_iter().map(|color| self.setup_drops_of(color, &hands[color.index()])).sum()
    }

    /// Like [`Self::setup_drops`], for one player.
    pub(crate) fn setup_drops_of(&self, color: Color, hand: &Hand) -> u32 {
        let rules = &self.setup[color.index()];
        let count = |kind: Kind| u32::from(hand[kind.index()]);
        let kinds: u32 = rules.kinds.iter().map(count).sum();
        let groups = rules.groups.iter().filter(|group| group.required);
        let chosen =
            groups.map(|group| group.options.iter().map(count).sum::<u32>().min(u32::from(group.limit)));
        kinds + chosen.sum::<u32>()
    }
}
