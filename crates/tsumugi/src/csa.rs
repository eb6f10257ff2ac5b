use anyhow::{Context, bail};
use arena::openings::{self, Order};
use clap::Subcommand;
use csa::client::{self, ClientConfig, Ponder, Reporter};
use csa::server::{Server, ServerConfig, TimeWords, read_users};
use platform::ProgressLine;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Play on CSA servers such as floodgate, or run one.
#[derive(clap::Args, PartialEq, Debug)]
pub struct CsaArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, PartialEq, Debug)]
enum What {
    Play(Box<PlayArgs>),
    Serve(Box<ServeArgs>),
}

/// The password, if no file has it.
const PASSWORD: &str = "TSUMUGI_CSA_PASSWORD";

/// Let an engine play on a server, one game or for ever.
///
/// The password is read from --password-file or from `TSUMUGI_CSA_PASSWORD`, or asked for. Ctrl-C: once, and the game is the last one; twice,
/// and it is given up; three times ends the program.
///
///     tsumugi csa play --server wdoor.c.u-tokyo.ac.jp --name ME --password-file trip.txt
///         --game floodgate-300-10F --games 0 --out floodgate
#[derive(clap::Args, Deserialize, PartialEq, Debug, Default)]
#[command(verbatim_doc_comment)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayArgs {
    /// The server's name or address, and its port unless that is 4081.
    #[arg(long, value_name = "HOST[:PORT]")]
    server: Option<String>,
    /// Encrypt the connection; only for servers that have TLS, and programs built with it.
    #[arg(long)]
    tls: bool,
    /// Trust the certificates in this PEM file instead of those that browsers trust.
    #[arg(long, value_name = "FILE", requires = "tls")]
    tls_ca: Option<PathBuf>,
    /// The name to play under.
    #[arg(long, value_name = "ID")]
    name: Option<String>,
    /// The file whose first line is the password.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The game to ask for, such as floodgate-300-10F; floodgate and shogi-server want it.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The dialect: floodgate (scores behind moves), csa (the protocol alone), x1 (extended) [default: floodgate].
    #[arg(long, value_parser = ["floodgate", "csa", "x1"])]
    mode: Option<String>,
    /// The engine: cmd=, option.NAME=, ponder=on|early|off, name=, args=, dir=, hash=MB, threads=N, restart=on|off [default: this program].
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    #[serde(deserialize_with = "one_or_many")]
    engine: Vec<String>,
    /// Games with a result in the folder; 0 plays for ever [default: 1].
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The folder of the run; the same command goes on with it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A TOML file with any of these options, without the dashes; the command line goes before.
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// Moves of the line of play told behind a move [default: 20].
    #[arg(long, value_name = "N", conflicts_with = "no_pv")]
    pv_moves: Option<usize>,
    /// Tell neither score nor line of play.
    #[arg(long)]
    no_pv: bool,
    /// Whether mates are sent as ±30000, or the last score in centipawns instead [default: on].
    #[arg(long, value_parser = ["on", "off"])]
    mate_scores: Option<String>,
    /// Declare a win whenever the engine says so, without asking our own rule.
    #[arg(long)]
    trust_win: bool,
    /// What times of moves before the game do to the clocks: never more than at the start (safe), or as the protocol says [default: safe].
    #[arg(long, value_parser = ["safe", "spec"])]
    resume_clock: Option<String>,
    /// The first pause before another attempt to connect, in seconds; later ones grow up to 300 [default: 10].
    #[arg(long, value_name = "S")]
    retry_pause: Option<f64>,
    /// How many seconds the engine may take to get ready [default: 60].
    #[arg(long, value_name = "S")]
    patience: Option<u64>,
}

/// Run a small server: for events without the internet, for testing, for games from given positions.
///
///     tsumugi csa serve --listen 0.0.0.0:4081 --time 300+10F --pairing robin --users users.txt --out club
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct ServeArgs {
    /// Where to listen; 0.0.0.0 is reached from other machines.
    #[arg(long, default_value = "127.0.0.1:4081", value_name = "ADDR:PORT")]
    listen: String,
    /// Total and increment (300+10F) or total and byoyomi (60+5).
    #[arg(long, value_name = "TIME")]
    time: TimeWords,
    /// The unit of the time.
    #[arg(long, default_value = "sec", value_parser = ["sec", "msec"])]
    unit: String,
    /// Lines such as `startpos moves …` or `sfen …`, or a book (.db); each is played twice.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Who meets whom: those who wait, or a tournament of the users.
    #[arg(long, default_value = "waiting", value_parser = ["waiting", "robin", "swiss"])]
    pairing: String,
    /// Cycles of a round robin, rounds of a Swiss tournament.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "N")]
    rounds: u32,
    /// A game ends without a result after so many moves.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    max_moves: u32,
    /// Who may log in: `NAME PASSWORD` to a line [default: everyone].
    #[arg(long, value_name = "FILE")]
    users: Option<PathBuf>,
    /// Keep what comes out of turn for its turn, as shogi-server does, instead of a loss.
    #[arg(long)]
    lenient: bool,
    /// In a tournament, a player who is absent so many seconds after a round has begun loses.
    #[arg(long, default_value_t = 300, value_name = "S")]
    absence: u64,
    /// End after so many games in the folder; 0 serves on.
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: u64,
    /// The first word of the games' names.
    #[arg(long, default_value = "tsumugi", value_name = "NAME")]
    event: String,
    /// The folder of the run; the same command goes on with it.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Words {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Words::deserialize(deserializer)? {
        Words::One(word) => vec![word],
        Words::Many(words) => words,
    })
}

pub fn run(args: CsaArgs) -> anyhow::Result<()> {
    platform::count_interrupts().map_err(anyhow::Error::msg)?;
    match args.what {
        What::Play(args) => play(*args),
        What::Serve(args) => serve(&args),
    }
}

/// Lines on standard output; on a terminal the game under way below them.
struct Screen(ProgressLine);

impl Reporter for Screen {
    fn line(&mut self, text: &str) {
        self.0.clear();
        report(text);
    }

    fn progress(&mut self, text: &str) {
        if self.0.is_live() {
            self.0.update(text);
        }
    }
}

/// A line for people; a closed standard output must not end a game.
fn report(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn play(args: PlayArgs) -> anyhow::Result<()> {
    let args = args.with_file()?;
    let (config, out) =
        (args.client()?, args.out.as_deref().context("--out is missing: the folder for the games")?);
    let password = password(args.password_file.as_deref(), &config)?;
    let mut screen = Screen(ProgressLine::new());
    let summary = client::play(&config, &password, out, args.games.unwrap_or(1), &mut screen)?;
    let client::ClientSummary { games, wins, losses, draws, .. } = summary;
    screen.line(&format!(
        "{games} games: {wins} won, {losses} lost, {draws} without a winner; kept in {}",
        out.display()
    ));
    Ok(())
}

fn password(file: Option<&Path>, config: &ClientConfig) -> anyhow::Result<String> {
    if let Some(path) = file {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("--password-file {}", path.display()))?;
        return Ok(text.lines().next().unwrap_or_default().trim().to_owned());
    }
    if let Ok(password) = std::env::var(PASSWORD) {
        return Ok(password);
    }
    if !io::stdin().is_terminal() {
        bail!("no password: give --password-file, set {PASSWORD}, or start the program in a terminal");
    }
    let prompt = format!("Password of {} at {}: ", config.name, config.host);
    rpassword::prompt_password(prompt).context("the password cannot be read")
}

/// The value that a word of a checked list stands for.
fn meaning<T: DeserializeOwned + Default>(option: &str, word: Option<&str>) -> anyhow::Result<T> {
    let Some(word) = word else { return Ok(T::default()) };
    serde_json::from_value(word.into()).with_context(|| format!("--{option} {word}"))
}

impl PlayArgs {
    /// What is not said on the command line comes from the file.
    fn with_file(self) -> anyhow::Result<Self> {
        let Some(path) = &self.config else { return Ok(self) };
        let context = || format!("--config {}", path.display());
        let file: Self =
            toml::from_str(&std::fs::read_to_string(path).with_context(context)?).with_context(context)?;
        Ok(Self {
            server: self.server.or(file.server),
            tls: self.tls || file.tls,
            tls_ca: self.tls_ca.or(file.tls_ca),
            name: self.name.or(file.name),
            password_file: self.password_file.or(file.password_file),
            game: self.game.or(file.game),
            mode: self.mode.or(file.mode),
            engine: if self.engine.is_empty() { file.engine } else { self.engine },
            games: self.games.or(file.games),
            out: self.out.or(file.out),
            config: None,
            pv_moves: self.pv_moves.or(file.pv_moves),
            no_pv: self.no_pv || file.no_pv,
            mate_scores: self.mate_scores.or(file.mate_scores),
            trust_win: self.trust_win || file.trust_win,
            resume_clock: self.resume_clock.or(file.resume_clock),
            retry_pause: self.retry_pause.or(file.retry_pause),
            patience: self.patience.or(file.patience),
        })
    }

    fn client(&self) -> anyhow::Result<ClientConfig> {
        let server = self.server.as_deref().context("--server is missing: HOST or HOST:PORT")?;
        let (host, port) = match server.rsplit_once(':') {
            // More colons than one: an address of IPv6, or its brackets before the port.
            Some((host, port)) if !host.contains(':') || host.ends_with(']') => (
                host.trim_matches(['[', ']']),
                port.parse().with_context(|| format!("--server {server}: the port"))?,
            ),
            _ => (server, csa::PORT),
        };
        let own = std::env::current_exe().context("this program's own path")?;
        let (engine, ponder): (_, Ponder) =
            client::engine(&self.engine, &own.display().to_string()).context("--engine")?;
        if self.tls && !cfg!(feature = "tls") {
            bail!(
                "--tls: this program was built without TLS; build it with `cargo build --release --features tls`"
            );
        }
        let pause = self.retry_pause.unwrap_or(10.0);
        if !(0.01..=300.0).contains(&pause) {
            bail!("--retry-pause {pause}: expected 0.01 to 300 seconds");
        }
        let mates: Option<String> = self.mate_scores.clone();
        Ok(ClientConfig {
            host: host.to_owned(),
            port,
            tls: self.tls,
            tls_ca: self.tls_ca.clone(),
            name: self.name.clone().context("--name is missing: the name to play under")?,
            game: self.game.clone(),
            mode: meaning("mode", self.mode.as_deref())?,
            engine,
            ponder,
            patience_ms: self.patience.unwrap_or(60).saturating_mul(1000),
            pv_moves: (!self.no_pv).then(|| self.pv_moves.unwrap_or(20)),
            mate_scores: mates.as_deref() != Some("off"),
            trust_win: self.trust_win,
            resume_clock: meaning("resume-clock", self.resume_clock.as_deref())?,
            retry_ms: (pause * 1000.0) as u64,
        })
    }
}

fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let openings = match &args.openings {
        None => Vec::new(),
        Some(path) => {
            openings::read(path, None, Order::Sequential).with_context(|| path.display().to_string())?
        }
    };
    ServerConfig::check_openings(&openings).map_err(anyhow::Error::msg).context("--openings")?;
    if !csa::wire::is_name(&args.event) {
        bail!("--event `{}`: use 1 to 32 letters, digits and _@.-", args.event);
    }
    if args.rounds != 1 && args.pairing == "waiting" {
        bail!("--rounds {}: only --pairing robin and --pairing swiss have rounds", args.rounds);
    }
    let unit = if args.unit == "msec" { Duration::from_millis(1) } else { Duration::from_secs(1) };
    let config = ServerConfig {
        event: args.event.clone(),
        rule: args.time.rule(unit),
        time_name: args.time.name(),
        pairing: meaning("pairing", Some(&args.pairing))?,
        rounds: args.rounds,
        max_moves: args.max_moves,
        lenient: args.lenient,
        players: Vec::new(),
        absence_ms: args.absence.saturating_mul(1000),
    };
    let users = args.users.as_deref().map(read_users).transpose().context("--users")?;
    let mut server = Server::listen(&args.listen, config, &openings, users)?;
    report(&format!("listening on {}", server.address()?));
    let standings = server.run(&args.out, args.games, &platform::interrupts, &mut report)?;
    for standing in standings {
        let points = f64::from(standing.half_points) / 2.0;
        report(&format!(
            "{:<32} {points:>6} points, {} games, {} won, {} drawn",
            standing.name, standing.games, standing.wins, standing.draws
        ));
    }
    Ok(())
}
