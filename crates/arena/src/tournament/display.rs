use super::record::GameRecord;
use super::tally::{Standing, Tally, Test};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shows the state of a match: a table that is redrawn on a terminal, plain lines elsewhere.
pub struct Display {
    out: Box<dyn Write>,
    live: bool,
    /// Number of games of the match, and of those played before this run.
    total: u64,
    resumed: u64,
    started: Instant,
    drawn: Option<Instant>,
    height: usize,
}

/// Interval of redrawing a terminal.
const REDRAW: Duration = Duration::from_millis(200);
/// Number of games between two lines with the state of the match.
const STATE_EVERY: u64 = 10;
const BAR: u64 = 30;

impl Display {
    /// On standard output.
    #[must_use]
    pub fn stdout() -> Self {
        Self::new(Box::new(io::stdout()), io::stdout().is_terminal())
    }

    /// Without output.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(Box::new(io::sink()), false)
    }

    fn new(out: Box<dyn Write>, live: bool) -> Self {
        Self { out, live, total: 0, resumed: 0, started: Instant::now(), drawn: None, height: 0 }
    }

    /// Starts a match of `total` games, of which `resumed` were played before.
    pub(super) fn begin(&mut self, total: u64, resumed: u64) {
        (self.total, self.resumed, self.started) = (total, resumed, Instant::now());
    }

    /// Shows a finished game.
    pub(super) fn game(&mut self, record: &GameRecord, tally: &Tally) -> io::Result<()> {
        if self.live {
            if self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
                return Ok(());
            }
            return self.redraw(tally);
        }
        let plies = record.ms.len();
        let GameRecord { game, black, white, verdict, .. } = record;
        writeln!(self.out, "game {} {black} - {white}: {verdict}, {plies} moves", game + 1)?;
        if tally.games().is_multiple_of(STATE_EVERY) {
            self.print(tally)?;
        }
        Ok(())
    }

    /// Ends the display.
    pub(super) fn end(&mut self, tally: &Tally) -> io::Result<()> {
        if self.live {
            return self.redraw(tally).and_then(|()| self.details(tally));
        }
        self.print(tally)?;
        self.details(tally)
    }

    fn print(&mut self, tally: &Tally) -> io::Result<()> {
        let progress = self.progress(tally);
        writeln!(self.out, "{progress}")?;
        for line in state(tally) {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }

    fn redraw(&mut self, tally: &Tally) -> io::Result<()> {
        let mut text = String::new();
        if self.height > 0 {
            // Moves up to the first line of the last drawing, and clears everything below.
            let _ = write!(text, "\x1b[{}A\x1b[J", self.height);
        }
        let lines = state(tally);
        let _ = writeln!(text, "{}", self.progress(tally));
        for line in &lines {
            let _ = writeln!(text, "{line}");
        }
        self.height = 1 + lines.len();
        self.drawn = Some(Instant::now());
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn progress(&self, tally: &Tally) -> String {
        let (played, total) = (tally.games(), self.total.max(1));
        let filled = (played * BAR / total).min(BAR) as usize;
        let bar = format!("{}{}", "=".repeat(filled), " ".repeat(BAR as usize - filled));
        let now = played.saturating_sub(self.resumed);
        let seconds = self.started.elapsed().as_secs_f64();
        let mut line = format!("[{bar}] {played} of {} games", self.total);
        if now > 0 {
            let left = seconds / now as f64 * self.total.saturating_sub(played) as f64;
            let _ = write!(line, ", {:.2} games/s, {} left", now as f64 / seconds, clock(left));
        }
        line
    }

    /// Statistics of how games ended, for the end of a match.
    fn details(&mut self, tally: &Tally) -> io::Result<()> {
        let [black, drawn, white] = tally.blacks();
        let plies = tally.plies() as f64 / tally.games().max(1) as f64;
        let seconds = self.started.elapsed().as_secs_f64();
        writeln!(
            self.out,
            "black won {black}, drawn {drawn}, white won {white}; {plies:.1} moves a game; {seconds:.1} s"
        )?;
        let reasons: Vec<String> =
            tally.reasons().iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(self.out, "ended by: {}", reasons.join(", "))?;
        let engines = tally.names().iter().zip(tally.standings());
        let lags: Vec<String> = engines
            .filter_map(|(name, standing)| Some(format!("{name} {:.1} ms", standing.lag_ms?)))
            .collect();
        if !lags.is_empty() {
            writeln!(
                self.out,
                "longest time between an engine's last word and our clock: {}",
                lags.join(", ")
            )?;
        }
        Ok(())
    }
}

/// Hours, minutes, seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round().clamp(0.0, 360_000_000.0) as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The state of a match: a table of the engines, then pairs and test, then faults.
fn state(tally: &Tally) -> Vec<String> {
    let mut order: Vec<usize> = (0..tally.names().len()).collect();
    // Two engines keep their order; more are ranked.
    if order.len() > 2 {
        order.sort_by(|&a, &b| tally.standings()[b].score().total_cmp(&tally.standings()[a].score()));
    }
    let mut rows = vec![
        ["engine", "games", "wins", "draws", "losses", "score", "Elo", "nElo", "LOS"].map(str::to_owned),
    ];
    let mut pairs = vec!["pairs 0 ½ 1 1½ 2".to_owned()];
    for engine in order {
        let standing = &tally.standings()[engine];
        rows.push(row(&tally.names()[engine], standing));
        pairs.push(if standing.pairs.pairs() > 0 { format!("[{}]", standing.pairs) } else { String::new() });
    }
    let mut lines: Vec<String> = aligned(&rows)
        .into_iter()
        .zip(pairs)
        .map(|(line, pairs)| format!("{line}  {pairs}").trim_end().to_owned())
        .collect();
    if tally.names().len() > 2 {
        for (&(first, second), pairing) in tally.pairings() {
            let pairs = pairing.pairs();
            if pairs.pairs() > 0 {
                let names = tally.names();
                lines.push(format!("{} - {}: [{pairs}] Elo {}", names[first], names[second], pairs.elo()));
            }
        }
    }
    lines.extend(tally.test().map(test_line));
    for (name, standing) in tally.names().iter().zip(tally.standings()) {
        lines.extend(trouble(name, standing));
    }
    lines
}

/// A row of the table; cells that need a pair are empty before there is one.
fn row(name: &str, standing: &Standing) -> [String; 9] {
    let Standing { wins, draws, losses, pairs, .. } = standing;
    let known = |text: String| if pairs.pairs() > 0 { text } else { String::new() };
    [
        name.to_owned(),
        standing.games().to_string(),
        wins.to_string(),
        draws.to_string(),
        losses.to_string(),
        format!("{:.1}%", 100.0 * standing.score()),
        known(pairs.elo().to_string()),
        known(pairs.normalized_elo().to_string()),
        known(format!("{:.1}%", 100.0 * pairs.los())),
    ]
}

/// The rows with aligned columns, the first to the left and the others to the right.
fn aligned<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let line = |row: &[String; N]| {
        let mut line = format!("{:<width$}", row[0], width = width(0));
        for (column, cell) in row.iter().enumerate().skip(1) {
            // Writing to a string cannot fail.
            let _ = write!(line, "  {cell:>width$}", width = width(column));
        }
        line
    };
    rows.iter().map(line).collect()
}

fn test_line(test: &Test) -> String {
    let (low, high) = test.sprt.bounds();
    let Test { sprt, pairs, llr, decision } = test;
    format!(
        "LLR {llr:.3} ({low:.2}, {high:.2}) for Elo {} against {} ({}) after {} pairs: {decision}",
        sprt.elo1,
        sprt.elo0,
        sprt.model,
        pairs.pairs()
    )
}

/// The faults of an engine, if any.
fn trouble(name: &str, standing: &Standing) -> Option<String> {
    let faults = standing.faults.iter().map(|(reason, count)| format!("lost by {reason} {count}"));
    let remarks = standing.remarks.iter().map(|(kind, count)| format!("{} {count}", kind.name()));
    let all: Vec<String> = faults.chain(remarks).collect();
    (!all.is_empty()).then(|| format!("{name}: {}", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_need_be() {
        let rows = [["engine", "Elo"], ["a", "at least +279.9"], ["日本", "+1.0 ± 2.0"]]
            .map(|row| row.map(str::to_owned));
        assert_eq!(
            aligned(&rows),
            ["engine              Elo", "a       at least +279.9", "日本           +1.0 ± 2.0"]
        );
    }

    #[test]
    fn clocks() {
        assert_eq!(clock(0.2), "0:00:00");
        assert_eq!(clock(3_661.0), "1:01:01");
        assert_eq!(clock(f64::INFINITY), "100000:00:00");
    }
}
