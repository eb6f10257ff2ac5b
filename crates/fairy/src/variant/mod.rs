//! A variant prepared for play: everything derived from its rules.

pub(crate) mod goals;
pub(crate) mod movement;
mod values;

use crate::board::kind::{Form, Kind, Piece};
use crate::board::square::{Square, Squares};
use crate::definition::betza::{self, Manner, Way};
use crate::definition::piece::{PieceId, PieceSet};
use crate::definition::region::Region;
use crate::definition::rules::{Rules, Verdict};
use crate::variant::goals::Goals;
use crate::variant::movement::{Movement, Rays};
use crate::variant::values::Values;
use game::Color;
use platform::random::mix;

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Kinds(u32);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);

    #[inline]
    pub(crate) const fn contains(self, kind: Kind) -> bool {
        self.0 >> kind.index() & 1 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn insert(&mut self, kind: Kind) {
        self.0 |= 1 << kind.index();
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Kind> {
        (0..Kind::COUNT as u8).map(Kind::from_letter).filter(move |kind| self.contains(*kind))
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        let mut set = Self::default();
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

/// Pieces that attack along the same ray, as seen from the attacked square.
pub(crate) struct RayAttack {
    pub(crate) ray: usize,
    pub(crate) kinds: Vec<Kind>,
}

/// A group of [`crate::definition::rules::ChoiceGroup`], by kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) options: Kinds,
    pub(crate) limit: u8,
    pub(crate) required: bool,
    pub(crate) locks_unused: bool,
}

/// The setup rules of one player.
pub(crate) struct SetupSide {
    pub(crate) region: Squares,
    pub(crate) kinds: Kinds,
    pub(crate) groups: Vec<Group>,
}

/// Squares within one, two and three steps of a king.
pub(crate) type Near = [Squares; 3];

/// A goal of reaching squares.
pub(crate) struct Flag {
    pub(crate) kind: Option<Kind>,
    pub(crate) region: Squares,
}

/// A variant prepared for play.
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Variant {
    pub(crate) name: String,
    pub(crate) rules: Rules,
    /// All squares.
    pub(crate) board: Squares,
    /// The kinds in play, in the order of letters.
    pub(crate) kinds: Vec<Kind>,
    sorts: [u8; Kind::COUNT],
    places: [u8; Square::COUNT],
    place_count: usize,
    near: Box<[Near]>,
    pub(crate) promotion: [Option<Kind>; Kind::COUNT],
    kind_of_form: [Kind; Form::COUNT],
    movements: Movements,
    pub(crate) rays: Rays,
    /// Attacks along rays by each colour.
    pub(crate) ray_attacks: [Vec<RayAttack>; 2],
    /// Kinds that capture by leaps.
    pub(crate) leapers: [Vec<Kind>; 2],
    /// Kinds that attack by hops or lame leaps.
    pub(crate) crooked: [Vec<Kind>; 2],
    /// Whether some kind is restricted to a region.
    pub(crate) confined: bool,
    /// The kind that is always royal.
    pub(crate) king: Option<Kind>,
    /// Kinds that are royal while few are left.
    pub(crate) pseudo_royals: Kinds,
    pub(crate) extinct: Kinds,
    pub(crate) shogi_pawn: Option<Kind>,
    pub(crate) chess_pawn: Option<Kind>,
    pub(crate) janggi_cannon: Option<Kind>,
    pub(crate) no_doubled: Option<Kind>,
    pub(crate) must_drop_kind: Option<Kind>,
    pub(crate) promotion_zone: [Squares; 2],
    pub(crate) promotion_limit: [u8; Kind::COUNT],
    pub(crate) drop_zone: [Squares; 2],
    pub(crate) flag: [Flag; 2],
    pub(crate) setup: [SetupSide; 2],
    counts_drops: bool,
    /// Kinds whose promotion loses no move, so that a search need not decline it.
    pub(crate) always_promote: Kinds,
    /// Whether all attacks are leaps and slides and only a king is royal: legality is then decided by masks.
    pub(crate) plain: bool,
    /// Whether rules that compare all moves apply outside of the setup, too.
    pub(crate) sifted: bool,
    pub(crate) values: Values,
    pub(crate) goals: Goals,
    pub(crate) zobrist: Zobrist,
    /// The squares of each file.
    pub(crate) files: Vec<Squares>,
}

/// Random numbers for position keys.
pub(crate) struct Zobrist {
    pieces: Box<[[u64; Square::COUNT]]>,
    pub(crate) side: u64,
}

impl Zobrist {
    fn new() -> Self {
        let number = |piece: usize, square: usize| mix((piece * Square::COUNT + square) as u64 + 1);
        let row = |piece| std::array::from_fn(|square| number(piece, square));
        Self { pieces: (0..2 * Form::COUNT).map(row).collect(), side: mix(0) }
    }

    #[inline]
    pub(crate) fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.form().index() * 2 + piece.color().index()][square.index()]
    }

    /// The key of a number of pieces of a kind in hand.
    #[inline]
    pub(crate) const fn hand(color: Color, kind: Kind, count: u8) -> u64 {
        mix(1 << 32 | (color as u64) << 24 | (kind.index() as u64) << 16 | count as u64)
    }
}

/// An empty movement, for kinds that are not in play.
fn ways_of(rules: &Rules, piece: PieceId) -> Vec<Way> {
    let notation = rules.pieces[piece.index()].as_ref().map_or("", |defined| &defined.betza);
    // Parsing cannot fail: the reader has checked the notation.
    betza::parse(notation).unwrap_or_default()
}

impl Variant {
    /// Number of kinds with history tables of their own; further kinds share tables.
    pub(crate) const SORTS: usize = 14;
    /// Number of squares with history entries of their own: fitting into the cache matters more than being exact.
    pub(crate) const PLACES: usize = 100;

    /// Derives everything from rules that [`crate::Library`] has read.
    pub(crate) fn new(name: &str, rules: &Rules) -> Self {
        let (files, ranks) = (rules.files, rules.ranks);
        let board = Squares::board(files, ranks);
        let kind_of = |piece: PieceId| rules.letter(piece).map(Kind::from_letter);
        let pieces: Vec<(PieceId, Kind)> =
            PieceId::all().filter_map(|piece| Some((piece, kind_of(piece)?))).collect();
        let mut kinds: Vec<Kind> = pieces.iter().map(|(_, kind)| *kind).collect();
        kinds.sort_unstable();

        let goals = Goals::new(rules);
        let mut rays = Rays::default();
        let movements = movements(rules, &pieces, board, &mut rays);
        let mut promotion = [None; Kind::COUNT];
        let mut promotion_limit = [0; Kind::COUNT];
        let mut always_promote = Kinds::default();
        for &(piece, kind) in &pieces {
            let to = rules.promoted[piece.index()].filter(|to| kind_of(*to).is_some());
            promotion[kind.index()] = to.and_then(kind_of);
            promotion_limit[kind.index()] = rules.promotion_limit[piece.index()];
            let gains = |to: PieceId| {
                !rules.demotion
                    && !goals.counts(rules, piece)
                    && !goals.counts(rules, to)
                    && includes(&ways_of(rules, to), &ways_of(rules, piece))
            };
            if to.is_some_and(gains) {
                always_promote.insert(kind);
            }
        }
        let kind_of_form = std::array::from_fn(|form| {
            let origin = Kind::from_letter((form % Kind::COUNT) as u8);
            if form < Kind::COUNT { origin } else { promotion[origin.index()].unwrap_or(origin) }
        });
        let set = |set: PieceSet| -> Kinds { set.iter().filter_map(kind_of).collect() };
        let king = kind_of(PieceId::KING);
        let extinct = set(rules.extinction.kinds);
        let pseudo_royals = if rules.extinction.pseudo_royal { extinct } else { Kinds::default() };
        let unwanted = |form: Form| goals.is_unwanted(extinct, kind_of_form[form.index()]);
        let values = Values::new(rules, &pieces, &movements, &rays, &promotion, board, unwanted);
        let mut variant = Self {
            name: name.to_owned(),
            rules: rules.clone(),
            board,
            ray_attacks: Color::ALL
                .map(|color| ray_attacks(&kinds, &movements[color.index()], &mut rays, board)),
            leapers: Color::ALL.map(|color| {
                let leaps =
                    |m: &Movement| board.into_iter().any(|square| !m.captures_from(square).is_empty());
                kinds_where(&kinds, &movements[color.index()], leaps)
            }),
            crooked: Color::ALL
                .map(|color| kinds_where(&kinds, &movements[color.index()], |m| !m.attacks_plainly())),
            confined: movements.iter().flatten().flatten().any(|movement| movement.region != board),
            near: (0..Square::COUNT).map(|index| near(Square::from_index(index), board)).collect(),
            places: std::array::from_fn(|index| {
                let square = Square::from_index(index);
                (square.row() * files + square.column()) % (files * ranks).min(Self::PLACES as u8)
            }),
            place_count: (usize::from(files) * usize::from(ranks)).min(Self::PLACES),
            sorts: std::array::from_fn(|letter| {
                (kinds.iter().position(|kind| kind.index() == letter).unwrap_or_default() % Self::SORTS) as u8
            }),
            kinds,
            promotion,
            kind_of_form,
            movements,
            rays,
            king,
            pseudo_royals,
            extinct,
            shogi_pawn: kind_of(PieceId::SHOGI_PAWN),
            chess_pawn: kind_of(PieceId::PAWN),
            janggi_cannon: kind_of(PieceId::JANGGI_CANNON),
            no_doubled: rules.no_doubled.and_then(kind_of),
            must_drop_kind: rules.must_drop_kind.and_then(kind_of),
            promotion_zone: rules.promotion_region.map(|region| region.on_board(files, ranks)),
            promotion_limit,
            drop_zone: rules.drop_region.map(|region| region.on_board(files, ranks)),
            flag: Color::ALL.map(|color| Flag {
                kind: rules.flag.piece[color.index()].and_then(kind_of),
                region: rules.flag.region[color.index()].on_board(files, ranks),
            }),
            setup: Color::ALL.map(|color| setup_side(rules, color, set)),
            counts_drops: rules.setup.drops || rules.setup.groups.iter().any(|groups| !groups.is_empty()),
            always_promote,
            plain: false,
            sifted: rules.must_capture || rules.must_drop || !rules.drop_checks || !rules.checking,
            values,
            goals,
            zobrist: Zobrist::new(),
            files: (0..files)
                .map(|column| (0..ranks).filter_map(|row| Square::at(column, row)).collect())
                .collect(),
        };
        variant.plain = variant.crooked.iter().all(Vec::is_empty)
            && variant.pseudo_royals.is_empty()
            && !rules.flying_general
            && variant.janggi_cannon.is_none();
        variant
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules that it was made from.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The kind of movement of a piece.
    #[inline(always)]
    pub(crate) fn kind(&self, form: Form) -> Kind {
        self.kind_of_form[form.index()]
    }

    /// The movement of a kind in play.
    #[inline(always)]
    pub(crate) fn movement(&self, color: Color, kind: Kind) -> &Movement {
        self.movements[color.index()][kind.index()].as_deref().expect("only kinds in play are on the board")
    }

    /// The neighbourhood of a square.
    #[inline]
    pub(crate) fn near(&self, square: Square) -> &Near {
        &self.near[square.index()]
    }

    /// The index of a kind among those in play, below [`Variant::SORTS`].
    #[inline]
    pub(crate) fn sort(&self, kind: Kind) -> usize {
        usize::from(self.sorts[kind.index()])
    }

    /// The index of a square, counted without gaps, below [`Variant::place_count`].
    #[inline]
    pub(crate) fn place(&self, square: Square) -> usize {
        usize::from(self.places[square.index()])
    }

    /// Number of squares with history entries of their own.
    #[inline]
    pub(crate) fn place_count(&self) -> usize {
        self.place_count
    }

    /// Whether the variant has pieces of this kind.
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether the variant has such a piece.
    pub(crate) fn has_form(&self, form: Form) -> bool {
        self.has(form.origin()) && (!form.is_promoted() || self.promotion[form.origin().index()].is_some())
    }

    /// Whether games begin with a setup.
    #[inline]
    #[must_use]
    pub fn has_setup(&self) -> bool {
        self.counts_drops
    }

    /// The verdict on stalemate or mate.
    pub(crate) fn stuck(&self, in_check: bool) -> Verdict {
        if in_check { self.rules.checkmate } else { self.rules.stalemate }
    }
}

/// The movements of all kinds, by colour.
type Movements = [[Option<Box<Movement>>; Kind::COUNT]; 2];

fn movements(rules: &Rules, pieces: &[(PieceId, Kind)], board: Squares, rays: &mut Rays) -> Movements {
    let mut movements = [const { [const { None }; Kind::COUNT] }; 2];
    for &(piece, kind) in pieces {
        let ways = ways_of(rules, piece);
        for color in Color::ALL {
            let region = rules.mobility(color, piece).on_board(rules.files, rules.ranks);
            let is_soldier = piece == PieceId::SOLDIER;
            let narrow = if is_soldier { before_rank(rules, color, board) } else { Squares::EMPTY };
            let mut movement = Movement::new(&ways, color == Color::White, board, region, narrow, rays);
            movement.shuns_own = piece == PieceId::JANGGI_CANNON;
            movements[color.index()][kind.index()] = Some(Box::new(movement));
        }
    }
    movements
}

fn kinds_where(
    kinds: &[Kind],
    movements: &[Option<Box<Movement>>; Kind::COUNT],
    wanted: impl Fn(&Movement) -> bool,
) -> Vec<Kind> {
    let is_wanted = |kind: &Kind| movements[kind.index()].as_deref().is_some_and(&wanted);
    kinds.iter().copied().filter(is_wanted).collect()
}

fn setup_side(rules: &Rules, color: Color, kinds_of: impl Fn(PieceSet) -> Kinds) -> SetupSide {
    let setup = &rules.setup;
    let region = setup.region[color.index()].unwrap_or(Region::ALL);
    let groups = setup.groups[color.index()].iter().map(|group| Group {
        options: kinds_of(group.options),
        limit: group.limit,
        required: group.required,
        locks_unused: group.locks_unused,
    });
    SetupSide {
        region: region.on_board(rules.files, rules.ranks),
        kinds: kinds_of(setup.kinds[color.index()]),
        groups: groups.collect(),
    }
}

fn near(square: Square, board: Squares) -> Near {
    let steps =
        |other: Square| other.column().abs_diff(square.column()).max(other.row().abs_diff(square.row()));
    [1, 2, 3].map(|most| board.filter(|other| steps(*other) <= most).collect())
}

/// Squares before the rank where soldiers begin to move sideways.
fn before_rank(rules: &Rules, color: Color, board: Squares) -> Squares {
    let rank = |square: &Square| match color {
        Color::Black => rules.ranks - square.row(),
        Color::White => square.row() + 1,
    };
    board.filter(|square| rank(square) < rules.soldier_promotion_rank).collect()
}

/// Whether a piece with the moves `all` has every move of one with `some`.
fn includes(all: &[Way], some: &[Way]) -> bool {
    some.iter().all(|way| {
        all.iter().any(|other| {
            let farther = match (other.manner, way.manner) {
                (Manner::Ride(None), Manner::Ride(_)) | (Manner::Ride(_), Manner::Leap) => true,
                (Manner::Ride(Some(far)), Manner::Ride(Some(near))) => far >= near,
                (other, way) => other == way,
            };
            (other.right, other.up) == (way.right, way.up)
                && farther
                && (other.quiet || !way.quiet)
                && (other.captures || !way.captures)
        })
    })
}

fn ray_attacks(
    kinds: &[Kind],
    movements: &[Option<Box<Movement>>; Kind::COUNT],
    rays: &mut Rays,
    board: Squares,
) -> Vec<RayAttack> {
    let mut attacks: Vec<RayAttack> = Vec::new();
    for &kind in kinds {
        let Some(movement) = &movements[kind.index()] else { continue };
        for ray in movement.capturing_rays() {
            let ray = rays.reverse(ray, board);
            match attacks.iter_mut().find(|attack| attack.ray == ray) {
                Some(attack) => attack.kinds.push(kind),
                None => attacks.push(RayAttack { ray, kinds: vec![kind] }),
            }
        }
    }
    attacks
}
