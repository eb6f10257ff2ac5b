//! The setup phase: which pieces have to be placed, and which may not be any more.

use crate::kind::{Form, Kind};
use crate::position::core::{Core, Hand};
use crate::rules::MOST_GROUPS;
use crate::square::Squares;
use crate::variant::{Group, Kinds, Variant};
use game::Color;
use platform::random::mix;

/// How far a player's setup is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SetupState {
    /// It goes on.
    pub(crate) active: bool,
    /// Pieces that must still be placed.
    left: Hand,
    /// How many of each group were placed.
    usage: [u8; MOST_GROUPS],
    /// Which kinds they were.
    used: [Kinds; MOST_GROUPS],
}

impl SetupState {
    /// Nothing to be placed.
    pub(crate) const OVER: Self = Self {
        active: false,
        left: [0; Kind::COUNT],
        usage: [0; MOST_GROUPS],
        used: [Kinds::NONE; MOST_GROUPS],
    };
}

impl Core {
    /// Begins both players' setup with what they have in hand.
    pub(crate) fn begin_setup(&mut self, variant: &Variant) {
        for color in Color::ALL {
            let hand = self.hands[color.index()];
            self.continue_setup(variant, color, &hand);
        }
    }

    /// The setup of a player who began with the pocket `start` and still has a hand.
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
            // What was not chosen has been put away: the choice is what stands on the board.
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

    /// Something has still to be placed.
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

    /// Groups and the setup let a player drop this kind.
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

    /// Bars kinds, as text says (`lock:Rb`).
    pub(crate) fn lock(&mut self, variant: &Variant, color: Color, locked: Kinds) {
        for (place, group) in variant.setup[color.index()].groups.iter().enumerate() {
            if group.locks_unused && group.options.iter().any(|kind| locked.contains(kind)) {
                let state = &mut self.setup[color.index()];
                state.usage[place] = group.limit;
                state.used[place] = group.options.iter().filter(|kind| !locked.contains(*kind)).collect();
            }
        }
    }

    /// Where a player may drop at present.
    pub(crate) fn drop_zone(&self, variant: &Variant, color: Color) -> Squares {
        if self.setup[color.index()].active {
            variant.setup[color.index()].region
        } else {
            variant.drop_zone[color.index()]
        }
    }

    /// A piece of this kind has left the hand for the board: the setup goes on or ends. What is put away at its end
    /// leaves the hand, too.
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
        // While pieces are placed, how many are left follows from the hand.
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
    /// Pieces that both players together place in the setup, if they begin with these hands.
    pub(crate) fn setup_drops(&self, hands: &[Hand; 2]) -> u32 {
        Color::ALL.into_iter().map(|color| self.setup_drops_of(color, &hands[color.index()])).sum()
    }

    /// The same for one player.
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
