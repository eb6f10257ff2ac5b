use super::config::{Format, MatchConfig};

/// A scheduled game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub game: u64,
    /// The number of its opening, which all pairings of a round share.
    pub round: u64,
    /// Black, as an index of the engines.
    pub black: usize,
    /// White.
    pub white: usize,
}

/// All games of a match in order; the two games of a pair are adjacent.
pub fn schedule(config: &MatchConfig) -> impl Iterator<Item = Fixture> + use<> {
    let count = config.engines.len();
    let pairings: Vec<(usize, usize)> = match config.format {
        Format::RoundRobin => (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect(),
        Format::Gauntlet => (1..count).map(|other| (0, other)).collect(),
    };
    let rounds = config.games / 2;
    (0..rounds)
        .flat_map(move |round| {
            let games: Vec<_> = pairings.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
            games.into_iter().map(move |(black, white)| (round, black, white))
        })
        .zip(0..)
        .map(|((round, black, white), game)| Fixture { game, round, black, white })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineSpec;
    use crate::play::Conditions;

    fn games(engines: usize, games: u64, format: Format) -> Vec<(u64, usize, usize)> {
        let engine = |i| EngineSpec::from_words([format!("name={i}").as_str(), "cmd=x", "nodes=1"]).unwrap();
        let config = MatchConfig {
            game: "shogi".into(),
            engines: (0..engines).map(engine).collect(),
            format,
            games,
            declaration: None,
            max_moves: None,
            conditions: Conditions::default(),
            sprt: None,
            records: vec![],
        };
        assert_eq!(config.check(), Ok(()));
        schedule(&config).map(|fixture| (fixture.round, fixture.black, fixture.white)).collect()
    }

    #[test]
    fn pairs_stand_together() {
        assert_eq!(games(2, 4, Format::RoundRobin), [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)]);
        assert_eq!(
            games(3, 2, Format::RoundRobin),
            [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0), (0, 1, 2), (0, 2, 1)]
        );
        assert_eq!(games(3, 2, Format::Gauntlet), [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0)]);
    }
}
