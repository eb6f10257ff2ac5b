//! A host: starts the program, says lines to it and hears its answers.

use game::{Game, Position};
use shogi::Shogi;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Nothing takes so long; who waits longer has met a hang.
const HANG: Duration = Duration::from_mins(2);

/// Options with which a search takes no longer than it must.
const QUICK: &str = "\
    setoption name Threads value 1\n\
    setoption name USI_Hash value 1\n\
    setoption name NetworkDelay value 0\n\
    setoption name NetworkDelay2 value 0\n\
    setoption name MinimumThinkingTime value 1\n\
    setoption name RoundUpToFullSecond value false";

/// The program as a host sees it.
pub struct Host {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything that was said, for the messages of failed tests.
    log: Vec<String>,
    asked: usize,
    answered: usize,
}

/// `bestmove`, and what came before it.
pub struct Answer {
    pub best: String,
    pub ponder: Option<String>,
    pub before: Vec<String>,
}

impl Host {
    /// Starts the program; nothing has been said yet.
    pub fn start() -> Self {
        Self::start_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &[])
    }

    /// Starts it in a folder, with arguments.
    pub fn start_in(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tsumugi"))
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.split(b'\n') {
                let line = String::from_utf8(line.expect("a pipe can be read")).expect("answers are text");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, log: Vec::new(), asked: 0, answered: 0 }
    }

    /// A host that has shaken hands, set quick options and begun a game.
    pub fn ready() -> Self {
        let mut host = Self::start();
        host.send("usi");
        host.until("usiok");
        host.send(QUICK);
        host.get_ready();
        host.send("usinewgame");
        host
    }

    /// Says a line, or several at once.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Says exactly these bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        for line in String::from_utf8_lossy(bytes).lines() {
            self.log.push(format!("> {line}"));
            let mut words = line.split_whitespace();
            self.asked += usize::from(words.next() == Some("go") && words.next() != Some("perft"));
        }
        let stdin = self.stdin.as_mut().expect("the input is open");
        let sent = stdin.write_all(bytes).and_then(|()| stdin.flush());
        assert!(sent.is_ok(), "the program reads no more: {sent:?}\n{}", self.story());
    }

    /// The next line; `None` when the program has closed its output.
    fn hear(&mut self) -> Option<String> {
        match self.lines.recv_timeout(HANG) {
            Ok(line) => {
                self.log.push(format!("< {line}"));
                self.answered += usize::from(line.starts_with("bestmove") || line.starts_with("checkmate"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("silence for {HANG:?}\n{}", self.story()),
        }
    }

    /// Listens until a line satisfies `wanted`, and returns all that was heard.
    pub fn listen(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let Some(line) = self.hear() else { panic!("it ended before {what}\n{}", self.story()) };
            heard.push(line);
            if wanted(&heard[heard.len() - 1]) {
                return heard;
            }
        }
    }

    /// Says a word again and again until a line begins as wanted, and returns all that was heard. For words that
    /// mean something only if they do not come too early.
    pub fn insist(&mut self, word: &str, wanted: &str) -> Vec<String> {
        let begun = Instant::now();
        let mut heard: Vec<String> = Vec::new();
        while !heard.last().is_some_and(|line| line.starts_with(wanted)) {
            assert!(begun.elapsed() < HANG, "`{word}` is not heard\n{}", self.story());
            match self.lines.recv_timeout(Duration::from_millis(250)) {
                Ok(line) => {
                    self.log.push(format!("< {line}"));
                    heard.push(line);
                }
                Err(RecvTimeoutError::Timeout) => self.send(word),
                Err(RecvTimeoutError::Disconnected) => panic!("it ended before {wanted}\n{}", self.story()),
            }
        }
        heard
    }

    /// Listens until exactly this line comes.
    pub fn until(&mut self, line: &str) -> Vec<String> {
        self.listen(line, |heard| heard == line)
    }

    /// Listens until the program has closed its output.
    pub fn until_the_end(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.hear()).collect()
    }

    /// Says `isready` and waits for `readyok`.
    pub fn get_ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok")
    }

    /// The same; nothing but messages may come before it, and the empty lines that keep a host waiting on a busy machine.
    pub fn get_ready_quietly(&mut self) {
        let heard = self.get_ready();
        let (_, messages) = heard.split_last().expect("it was heard");
        let is_message = |line: &String| line.is_empty() || line.starts_with("info string ");
        assert!(messages.iter().all(is_message), "{messages:?}");
        assert!(!messages.iter().any(|line| line.contains("Error")), "{messages:?}");
    }

    /// The value of an option.
    pub fn option(&mut self, name: &str) -> String {
        self.send(&format!("getoption {name}"));
        let answer = self.so_far();
        let line = answer.iter().find(|line| line.starts_with("info string Options["));
        let (_, value) = line.and_then(|line| line.split_once(" = ")).expect("it has a value");
        value.to_owned()
    }

    /// Everything heard until the program has obeyed what was said so far. Answers of a running search may still
    /// be to come.
    pub fn so_far(&mut self) -> Vec<String> {
        self.send("side");
        let mut heard = self.listen("the side", |line| line == "black" || line == "white");
        heard.pop();
        heard
    }

    /// Gives a search a moment, in which it must not answer.
    pub fn expect_no_answer(&mut self) {
        self.send("wait 100");
        let heard = self.so_far();
        let early = heard.iter().find(|line| line.starts_with("bestmove") || line.starts_with("checkmate"));
        assert!(early.is_none(), "an answer too early\n{}", self.story());
    }

    /// The answer to a `go`.
    pub fn best_move(&mut self) -> Answer {
        let mut heard = self.listen("bestmove", |line| line.starts_with("bestmove"));
        let answer = heard.pop().expect("it was heard");
        let (best, ponder) = match answer.split(' ').collect::<Vec<_>>()[..] {
            ["bestmove", best] => (best.to_owned(), None),
            ["bestmove", best, "ponder", ponder] => (best.to_owned(), Some(ponder.to_owned())),
            _ => panic!("not a bestmove line: {answer}"),
        };
        Answer { best, ponder, before: heard }
    }

    /// The answer to a `go mate`: what follows `checkmate`.
    pub fn checkmate(&mut self) -> String {
        let is_answer = |line: &str| line.starts_with("checkmate") || line.starts_with("bestmove");
        let answer = self.listen("checkmate", is_answer).pop().expect("it was heard");
        let words = answer.strip_prefix("checkmate ");
        words.unwrap_or_else(|| panic!("{answer}\n{}", self.story())).to_owned()
    }

    /// Sets a position, searches it as told, and checks that the answer is a move there.
    pub fn plays(&mut self, position: &str, go: &str) -> Answer {
        self.send(&format!("position {position}\n{go}"));
        let answer = self.best_move();
        assert_legal(position, &[&answer.best]);
        answer
    }

    /// Ends the program; every `go` must have had exactly one answer.
    pub fn quit(mut self) {
        self.send("quit");
        assert!(self.exit_status().success(), "{}", self.story());
        assert_eq!(self.asked, self.answered, "answers to go\n{}", self.story());
    }

    /// Ends the program while it may be searching, which it need not answer any more.
    pub fn quit_searching(mut self) {
        self.send("quit");
        assert!(self.exit_status().success(), "{}", self.story());
        assert!((self.asked - 1..=self.asked).contains(&self.answered), "{}", self.story());
    }

    /// Says nothing more.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Sends the signal to end, and sees that it does.
    #[cfg(unix)]
    pub fn terminate(mut self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().expect("kill runs");
        assert!(sent.success());
        self.exit_status();
    }

    /// Waits for the end, hearing everything until then; nothing may have gone to the standard error output.
    pub fn exit_status(&mut self) -> ExitStatus {
        while self.hear().is_some() {}
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                break status;
            }
            assert!(begun.elapsed() < HANG, "it does not end\n{}", self.story());
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut complaints = String::new();
        let mut stderr = self.child.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut complaints).expect("complaints are text");
        assert!(complaints.is_empty(), "{complaints}\n{}", self.story());
        status
    }

    /// All lines heard so far.
    pub fn heard(&self) -> impl Iterator<Item = &str> {
        self.log.iter().filter_map(|line| line.strip_prefix("< "))
    }

    fn story(&self) -> String {
        const SHOWN: usize = 60;
        self.log[self.log.len().saturating_sub(SHOWN)..].join("\n")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It has ended already, unless the test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The position after moves have been played from another one, all of which must be legal.
pub fn play(position: &str, moves: &[impl AsRef<str>]) -> shogi::Position {
    let mut after = Shogi::default().position_command(position).expect("a good position");
    for word in moves {
        match after.parse_move(word.as_ref()) {
            Ok(m) => after.do_move(m),
            Err(error) => panic!("{error} after {}, {position}", after.sfen()),
        }
    }
    after
}

/// Checks that moves can be played one after the other.
pub fn assert_legal(position: &str, moves: &[impl AsRef<str>]) {
    play(position, moves);
}
