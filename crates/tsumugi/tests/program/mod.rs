//! The real binary, for tests that run it once.
#![allow(dead_code, reason = "no test uses all of it")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program with arguments.
pub fn tsumugi(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tsumugi"));
    // Tests read English, whatever the language of the developer.
    command.args(arguments).env("LC_ALL", "C");
    command
}

/// Runs a command to its end with something to read.
pub fn feed(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let input = input.as_ref();
    std::thread::scope(|scope| {
        // It may end before it has read everything, so a failure to write says nothing.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("it ends")
    })
}
