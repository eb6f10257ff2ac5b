//! Tables of movement, computed once for each variant.

use crate::board::square::{Square, Squares};
use crate::definition::betza::{Manner, Way};

/// A set of squares for each square.
pub(crate) struct Table(Box<[Squares; Square::COUNT]>);

impl Table {
    fn new(mut squares: impl FnMut(Square) -> Squares, board: Squares) -> Self {
        let mut table = Box::new([Squares::EMPTY; Square::COUNT]);
        for square in board {
            table[square.index()] = squares(square) & board;
        }
        Self(table)
    }

    #[inline(always)]
    pub(crate) fn get(&self, square: Square) -> Squares {
        self.0[square.index()]
    }
}

/// An elementary leap on the board: columns to the left and rows down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Leap {
    left: i32,
    down: i32,
}

impl Leap {
    /// The leap of a way; for the second player it is rotated by 180 degrees.
    fn of(way: Way, turned: bool) -> Self {
        let sign = if turned { -1 } else { 1 };
        Self { left: -sign * i32::from(way.right), down: -sign * i32::from(way.up) }
    }

    const fn reversed(self) -> Self {
        Self { left: -self.left, down: -self.down }
    }

    /// Whether it leads to larger square numbers.
    const fn is_forward(self) -> bool {
        self.down > 0 || self.down == 0 && self.left > 0
    }

    /// The squares of the repeated leap, at most `most` times.
    fn ride(self, square: Square, most: Option<u8>, board: Squares) -> Squares {
        let next = |square: &Square| square.offset(self.left, self.down).filter(|next| board.contains(*next));
        let most = most.map_or(usize::MAX, usize::from);
        std::iter::successors(next(&square), next).take(most).collect()
    }

    /// The squares that a lame leap passes: along the longer axis first, then diagonally.
    fn path(self, square: Square) -> Squares {
        let Self { left, down } = self;
        let straight = (left.abs() - down.abs()).unsigned_abs() as i32;
        let (straight_left, straight_down) =
            if left.abs() > down.abs() { (left.signum(), 0) } else { (0, down.signum()) };
        let steps = left.abs().max(down.abs());
        let at = |step: i32| {
            let diagonal = (step - straight).max(0);
            let along = step.min(straight);
            let column = straight_left * along + left.signum() * diagonal;
            let row = straight_down * along + down.signum() * diagonal;
            square.offset(column, row)
        };
        (1..steps).filter_map(at).collect()
    }
}

/// The lines from each square: at most `most` leaps long, and unlimited.
pub(crate) struct Ray {
    leap: Leap,
    most: Option<u8>,
    forward: bool,
    line: Table,
    endless: Table,
    /// The first square of the line.
    next: Table,
}

impl Ray {
    fn new(leap: Leap, most: Option<u8>, board: Squares) -> Self {
        Self {
            leap,
            most,
            forward: leap.is_forward(),
            line: Table::new(|square| leap.ride(square, most, board), board),
            endless: Table::new(|square| leap.ride(square, None, board), board),
            next: Table::new(|square| leap.ride(square, Some(1), board), board),
        }
    }

    /// The line on an empty board.
    #[inline(always)]
    pub(crate) fn line(&self, square: Square) -> Squares {
        self.line.get(square)
    }

    /// The squares behind a square of the line, unlimited.
    #[inline(always)]
    pub(crate) fn behind(&self, square: Square) -> Squares {
        self.endless.get(square)
    }

    /// The nearest of `squares`, which must be on the line.
    #[inline(always)]
    pub(crate) fn nearest(&self, squares: Squares) -> Option<Square> {
        if self.forward { squares.first() } else { squares.last() }
    }

    /// Up to and including the first occupied square.
    #[inline(always)]
    pub(crate) fn slide(&self, square: Square, occupied: Squares) -> Squares {
        let line = self.line(square);
        match self.nearest(line & occupied) {
            Some(first) => line.without(self.behind(first)),
            None => line,
        }
    }

    fn weigh(&self, line: Squares, from: Square, weight: &impl Fn(u32, bool, bool) -> i32) -> i32 {
        let distance = |square: Square| line.without(self.behind(square)).len();
        line.map(|square| weight(distance(square), square.row() < from.row(), false)).sum()
    }

    /// The squares behind the first piece, up to and including the second.
    fn hop(&self, square: Square, occupied: Squares, only_next: bool) -> Squares {
        let line = self.line(square);
        let Some(hurdle) = self.nearest(self.behind(square) & occupied) else { return Squares::EMPTY };
        let after = self.behind(hurdle);
        let reached = match self.nearest(after & occupied) {
            Some(second) => after.without(self.behind(second)),
            None => after,
        };
        if only_next { reached & self.next.get(hurdle) } else { reached & line }
    }
}

/// Riding, sliding or hopping along a ray.
#[derive(Clone, Copy)]
struct Along {
    ray: usize,
    quiet: bool,
    captures: bool,
}

struct Hop {
    along: Along,
    /// Whether it lands right behind the hurdle.
    only_next: bool,
}

struct Lame {
    target: Table,
    path: Table,
    quiet: bool,
    captures: bool,
}

/// The moves of a kind for one colour.
pub(crate) struct Movement {
    /// Leaps to empty squares.
    quiet: Table,
    /// Leaps that capture.
    captures: Table,
    /// The origins of capturing leaps.
    captures_from: Table,
    slides: Vec<Along>,
    hops: Vec<Hop>,
    lames: Vec<Lame>,
    /// Whether captures and other moves are the same.
    uniform: bool,
    /// Whether it neither slides, hops nor leaps lamely.
    leaps_only: bool,
    /// The squares on which it may stand.
    pub(crate) region: Squares,
    /// All squares that it could ever move to or capture on, from each square.
    pub(crate) reach: Table,
    /// Squares from which it could never move.
    pub(crate) dead: Squares,
    /// Whether pieces of this kind neither jump over nor capture each other.
    pub(crate) shuns_own: bool,
}

/// The distinct rays of a variant.
#[derive(Default)]
pub(crate) struct Rays(Vec<Ray>);

impl Rays {
    fn find(&mut self, leap: Leap, most: Option<u8>, board: Squares) -> usize {
        self.0.iter().position(|ray| ray.leap == leap && ray.most == most).unwrap_or_else(|| {
            self.0.push(Ray::new(leap, most, board));
            self.0.len() - 1
        })
    }

    /// The ray in the opposite direction.
    pub(crate) fn reverse(&mut self, index: usize, board: Squares) -> usize {
        let Ray { leap, most, .. } = self.0[index];
        self.find(leap.reversed(), most, board)
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> &Ray {
        &self.0[index]
    }
}

impl Movement {
    /// Computes the tables of a piece. `narrow` are the squares from which it moves along its file only.
    pub(crate) fn new(
        ways: &[Way],
        turned: bool,
        board: Squares,
        region: Squares,
        narrow: Squares,
        rays: &mut Rays,
    ) -> Self {
        let leaps = |wanted: fn(&Way) -> bool, reversed: bool| {
            let leaps: Vec<Leap> = ways
                .iter()
                .filter(|way| way.manner == Manner::Leap && wanted(way))
                .map(|way| Leap::of(*way, turned))
                .collect();
            let target = move |square: Square| -> Squares {
                let from = |leap: &Leap| {
                    let leap = if reversed { leap.reversed() } else { *leap };
                    let other = square.offset(leap.left, leap.down)?;
                    let (start, end) = if reversed { (other, square) } else { (square, other) };
                    let allowed = !narrow.contains(start) || start.column() == end.column();
                    (allowed && region.contains(end)).then_some(other)
                };
                leaps.iter().filter_map(from).collect()
            };
            Table::new(target, board)
        };
        let mut movement = Self {
            quiet: leaps(|way| way.quiet, false),
            captures: leaps(|way| way.captures, false),
            captures_from: leaps(|way| way.captures, true),
            slides: Vec::new(),
            hops: Vec::new(),
            lames: Vec::new(),
            uniform: ways.iter().all(|way| way.quiet && way.captures),
            leaps_only: ways.iter().all(|way| way.manner == Manner::Leap),
            region,
            reach: Table::new(|_| Squares::EMPTY, board),
            dead: Squares::EMPTY,
            shuns_own: false,
        };
        for way in ways {
            let leap = Leap::of(*way, turned);
            let along = |ray| Along { ray, quiet: way.quiet, captures: way.captures };
            match way.manner {
                Manner::Leap => {}
                Manner::Ride(most) => movement.slides.push(along(rays.find(leap, most, board))),
                Manner::Hop(most) => {
                    movement.hops.push(Hop { along: along(rays.find(leap, most, board)), only_next: false });
                }
                Manner::Grasshop => {
                    movement.hops.push(Hop { along: along(rays.find(leap, None, board)), only_next: true });
                }
                Manner::Lame => movement.lames.push(Lame {
                    target: Table::new(|square| leap.ride(square, Some(1), board), board),
                    path: Table::new(|square| leap.path(square), board),
                    quiet: way.quiet,
                    captures: way.captures,
                }),
            }
        }
        let ever = |square: Square| {
            let along = movement.slides.iter().chain(movement.hops.iter().map(|hop| &hop.along));
            let lines = along.fold(Squares::EMPTY, |set, along| set | rays.get(along.ray).line(square));
            let lames = movement.lames.iter().fold(lines, |set, lame| set | lame.target.get(square));
            lames | movement.quiet.get(square) | movement.captures.get(square)
        };
        let reach = Table::new(ever, board);
        let goes = |square: Square| {
            let quiet_lines = movement.slides.iter().chain(movement.hops.iter().map(|hop| &hop.along));
            let quiet_lines = quiet_lines.filter(|along| along.quiet);
            let lines = quiet_lines.fold(Squares::EMPTY, |set, along| set | rays.get(along.ray).line(square));
            let lames = movement.lames.iter().filter(|lame| lame.quiet);
            // Regions are ignored here, as in Fairy-Stockfish.
            let leaps = ways.iter().filter(|way| way.quiet && way.manner == Manner::Leap);
            let leaps = leaps.map(|way| Leap::of(*way, turned));
            let leaps = leaps.filter_map(|leap| square.offset(leap.left, leap.down)).collect::<Squares>();
            lames.fold(lines, |set, lame| set | lame.target.get(square)) | leaps & board
        };
        let dead = board.filter(|square| goes(*square).is_empty()).collect();
        Self { reach, dead, ..movement }
    }

    /// Whether its captures neither hop nor leap lamely: they can only be blocked along a line.
    pub(crate) fn attacks_plainly(&self) -> bool {
        !self.hops.iter().any(|hop| hop.along.captures) && !self.lames.iter().any(|lame| lame.captures)
    }

    /// The rays along which it captures.
    pub(crate) fn capturing_rays(&self) -> impl Iterator<Item = usize> {
        self.slides.iter().filter(|along| along.captures).map(|along| along.ray)
    }

    /// The squares from which a leap may capture on `square`.
    #[inline(always)]
    pub(crate) fn captures_from(&self, square: Square) -> Squares {
        self.captures_from.get(square)
    }

    /// Target squares of a piece on `square`: empty squares, and others where it would capture. `shunned` are the
    /// pieces that it neither jumps over nor captures.
    #[inline]
    pub(crate) fn targets(
        &self,
        rays: &Rays,
        square: Square,
        occupied: Squares,
        shunned: Squares,
    ) -> Squares {
        if self.is_straight() {
            return self.straight(rays, square, occupied);
        }
        let quiet = self.some(rays, square, occupied, shunned, |along| along.quiet, |lame| lame.quiet);
        let captures = self.attacks(rays, square, occupied, shunned);
        (quiet | self.quiet.get(square)).without(occupied) & self.region | captures & occupied
    }

    /// Whether it only leaps and slides, and captures as it moves.
    #[inline]
    fn is_straight(&self) -> bool {
        self.uniform && self.hops.is_empty() && self.lames.is_empty()
    }

    /// Target squares of such a piece.
    #[inline]
    fn straight(&self, rays: &Rays, square: Square, occupied: Squares) -> Squares {
        let leaps = self.captures.get(square);
        let slides = self.slides.iter().map(|along| rays.get(along.ray).slide(square, occupied));
        slides.fold(leaps, |set, slide| set | slide) & self.region
    }

    /// Squares attacked by a piece on `square`.
    #[inline]
    pub(crate) fn attacks(
        &self,
        rays: &Rays,
        square: Square,
        occupied: Squares,
        shunned: Squares,
    ) -> Squares {
        if self.leaps_only {
            return self.captures.get(square);
        }
        if self.is_straight() {
            return self.straight(rays, square, occupied);
        }
        let far = self.some(rays, square, occupied, shunned, |along| along.captures, |lame| lame.captures);
        (far | self.captures.get(square)) & self.region
    }

    /// Sums a weight over all reachable squares, given the number of leaps, whether the square is ahead, and whether it
    /// is jumped to. Moves that only capture or never capture count half, and so do those that need a hurdle.
    pub(crate) fn weigh(&self, rays: &Rays, square: Square, weight: impl Fn(u32, bool, bool) -> i32) -> i32 {
        let ahead = |other: Square| other.row() < square.row();
        let is_far = |other: Square| {
            other.column().abs_diff(square.column()) > 1 || other.row().abs_diff(square.row()) > 1
        };
        let half = |quiet: bool, captures: bool| if quiet && captures { 2 } else { 1 };
        let leaps = self.quiet.get(square).map(|other| weight(1, ahead(other), is_far(other))).sum::<i32>()
            + self.captures.get(square).map(|other| weight(1, ahead(other), is_far(other))).sum::<i32>();
        let slides = self.slides.iter().map(|along| {
            let line = rays.get(along.ray).line(square);
            half(along.quiet, along.captures) * rays.get(along.ray).weigh(line, square, &weight)
        });
        let hops = self.hops.iter().map(|hop| {
            let line = rays.get(hop.along.ray).line(square);
            rays.get(hop.along.ray).weigh(line, square, &weight) / 2
        });
        let lames = self.lames.iter().map(|lame| {
            let reached = lame.target.get(square).map(|other| weight(2, ahead(other), false)).sum::<i32>();
            half(lame.quiet, lame.captures) * reached
        });
        (leaps + slides.sum::<i32>() + hops.sum::<i32>() + lames.sum::<i32>()) / 2
    }

    fn some(
        &self,
        rays: &Rays,
        square: Square,
        occupied: Squares,
        shunned: Squares,
        along: fn(&Along) -> bool,
        lame: fn(&Lame) -> bool,
    ) -> Squares {
        let mut set = Squares::EMPTY;
        for slide in self.slides.iter().filter(|slide| along(slide)) {
            set |= rays.get(slide.ray).slide(square, occupied);
        }
        for hop in self.hops.iter().filter(|hop| along(&hop.along)) {
            let ray = rays.get(hop.along.ray);
            let mut reached = ray.hop(square, occupied, hop.only_next);
            if self.shuns_own {
                reached =
                    reached.without(shunned) & ray.hop(square, occupied.without(shunned), hop.only_next);
            }
            set |= reached;
        }
        for leap in self.lames.iter().filter(|leap| lame(leap)) {
            if (leap.path.get(square) & occupied).is_empty() {
                set |= leap.target.get(square);
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::betza;

    fn movement(notation: &str, board: Squares, rays: &mut Rays) -> Movement {
        Movement::new(&betza::parse(notation).unwrap(), false, board, board, Squares::EMPTY, rays)
    }

    /// Target squares of a piece on 5e of a 9x9 board, given the occupied squares.
    fn targets(notation: &str, occupied: &str) -> String {
        let board = Squares::board(9, 9);
        let mut rays = Rays::default();
        let movement = movement(notation, board, &mut rays);
        let occupied: Squares =
            occupied.split_whitespace().map(|text| text.parse::<Square>().unwrap()).collect();
        let from: Square = "5e".parse().unwrap();
        let set = movement.targets(&rays, from, occupied | Squares::of(from), Squares::EMPTY);
        set.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_in_the_middle() {
        for (notation, occupied, reached) in [
            ("fW", "", "5d"),
            ("fR", "5b", "5b 5c 5d"),
            ("bR", "5h", "5f 5g 5h"),
            ("R2", "5d 4e", "5d 4e 6e 7e 5f 5g"),
            ("fR2", "5c", "5c 5d"),
            ("nN", "5d", "3d 7d 3f 7f 4g 6g"),
            ("fnA", "4d", "7c"),
            ("fpR", "5c", "5a 5b"),
            ("fpR", "5c 5b", "5b"),
            ("fpB2", "4d 6d", "3c 7c"),
            ("fpB2", "3c", ""),
            ("fgR", "5c", "5b"),
            ("mfRcfpR", "5c 5a", "5a 5d"),
            ("fcF", "4d", "4d"),
            ("fmF", "4d", "6d"),
            ("fZ", "", "3b 7b"),
            ("fnZ", "5d", ""),
            ("fnZ", "4c", "7b"),
            ("fNN", "4c", "7a 4c 6c"),
        ] {
            assert_eq!(targets(notation, occupied), reached, "{notation} with {occupied}");
        }
    }

    #[test]
    fn dead_squares() {
        let board = Squares::board(5, 6);
        let mut rays = Rays::default();
        let dead = |notation: &str, rays: &mut Rays| movement(notation, board, rays).dead.len();
        assert_eq!(dead("fW", &mut rays), 5);
        assert_eq!(dead("fR", &mut rays), 5);
        assert_eq!(dead("fN", &mut rays), 10);
        assert_eq!(dead("WfF", &mut rays), 0);
    }
}
