//! `tsumugi web`: the board in the browser.

use crate::terminal::{print, warn};
use ::web::{Listening, Settings};
use anyhow::Context;
use arena::{EngineSpec, TimeControl};
use clap::Args;
use std::collections::BTreeMap;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::net::IpAddr;
use std::path::PathBuf;

/// Show the board in the browser: analysis, play, books, mates, runs.
#[derive(Args, PartialEq, Eq, Debug)]
pub struct WebArgs {
    /// The port; 0 takes a free one [default: 7680 or the next free one]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on another address than this machine's own; pages then need the token that is printed
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    /// Another name of this machine that pages may use; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Open the browser
    #[arg(long)]
    open: bool,
    /// Where boards are kept [default: tsumugi in the folder of your programs' data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The folder of books
    #[arg(long, value_name = "DIR")]
    books: Option<PathBuf>,
    /// A library of games for the opening explorer, made by `tsumugi games --db FILE add`; may be repeated
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// The folder of matches, tuning and training to be shown
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// How many engines may think at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    engines: u32,
    /// Another engine, as for `tsumugi match`: "cmd=PROGRAM name=NAME …"; may be repeated
    #[arg(long, value_name = "WORDS")]
    engine: Vec<String>,
    /// Serve the pages from this folder instead of those that are built in
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: WebArgs) -> anyhow::Result<()> {
    let others = args.engine.iter().map(|words| {
        EngineSpec::from_words(words.split_whitespace()).with_context(|| format!("--engine \"{words}\""))
    });
    let others = others.collect::<anyhow::Result<Vec<_>>>()?;
    let data = args.data.or_else(|| Some(platform::data_folder()?.join("tsumugi")));
    let own_engine = EngineSpec {
        name: engines::NAME.to_owned(),
        command: env::current_exe().context("this program does not know where it is")?,
        arguments: Vec::new(),
        folder: env::current_dir().context("the present folder is gone")?,
        options: Vec::new(),
        paths: BTreeMap::new(),
        time: TimeControl::default(),
        ponder: false,
        restart: false,
    };
    let settings = Settings {
        port: args.port,
        listen: args.listen,
        hosts: args.host,
        data: data.context("no folder for boards: name one with --data")?,
        books: args.books,
        libraries: args.library,
        runs: args.runs,
        assets: args.assets,
        engines: args.engines,
        own_engine,
        others,
        version: engines::NAME.to_owned(),
    };
    let open = args.open;
    ::web::serve(settings, |listening| announce(listening, open))?;
    Ok(())
}

fn announce(listening: &Listening, open: bool) {
    // The reader of this line may be gone; the server runs all the same. Programs read it, too, so it is the same in every language.
    let _ = print(format_args!("listening on {}", listening.address)).and_then(|()| io::stdout().flush());
    let address = listening.with_token.as_ref().unwrap_or(&listening.address);
    if listening.with_token.is_some() {
        warn(format_args!("open {address}"));
        warn("others in the network can read along: the connection is not encrypted");
        // For phones on the same network, not for logs.
        if let Some(code) = ::web::qr_code(address).filter(|_| io::stderr().is_terminal()) {
            eprint!("{code}");
        }
    }
    if open && let Err(error) = platform::open_in_browser(address) {
        warn(format_args!("no browser opens: {error}: open {address} yourself"));
    }
}
