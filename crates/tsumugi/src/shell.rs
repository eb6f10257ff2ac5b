//! What a system is given to know the program by: completions for shells, manual pages.

use crate::cli::Cli;
use crate::terminal::print;
use clap::CommandFactory;
use clap_complete::Shell;
use platform::atomic_file;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the completions for a shell.
///
///     tsumugi completions bash > ~/.local/share/bash-completion/completions/tsumugi
///     tsumugi completions powershell >> $PROFILE
#[derive(clap::Args, PartialEq, Eq, Debug)]
#[command(verbatim_doc_comment)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Write the manual pages of all commands: `man -l FOLDER/tsumugi.1`.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct ManArgs {
    /// The folder for them.
    folder: PathBuf,
}

/// Prints the script; in English, as scripts are made once for all users of a machine.
pub fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tsumugi", &mut script);
    Ok(io::stdout().lock().write_all(&script)?)
}

/// Writes a page for each command.
pub fn man(args: &ManArgs) -> anyhow::Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut waiting = vec![command];
    let mut pages = 0;
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands().cloned());
        let page = clap_mangen::Man::new(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        atomic_file::write_unsynced(&args.folder.join(page.get_filename()), &text)?;
        pages += 1;
    }
    Ok(print(format_args!("{}: {pages} pages", args.folder.display()))?)
}
