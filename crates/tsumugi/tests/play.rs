//! `tsumugi play` from the outside: lines through pipes, and a whole terminal of forty columns.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tsumugi");

/// Standard output and error of a game that is played by lines.
fn play(folder: &Path, arguments: &[&str], lines: &str) -> (String, String) {
    let mut child = Command::new(PROGRAM)
        .current_dir(folder)
        .env_remove("COLUMNS")
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A game that does not begin reads nothing.
    drop(child.stdin.take().unwrap().write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A record as a line of USI.
fn usi(folder: &Path, file: &str) -> String {
    let run =
        Command::new(PROGRAM).current_dir(folder).args(["convert", file, "--to", "usi"]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).trim().to_owned()
}

/// The same without the word that says how the game ended.
fn usi_moves(folder: &Path, file: &str) -> String {
    let mut line = usi(folder, file);
    if let Some((moves, "rep_draw" | "rep_win" | "rep_lose" | "resign" | "win" | "draw")) =
        line.rsplit_once(' ')
    {
        line = moves.to_owned();
    }
    line
}

/// Two engines play a game, which quick searches could draw out to thousands of moves.
fn engines_play(folder: &Path, variant: &str, file: &str) -> (String, String) {
    let arguments = ["--variant", variant, "--you", "none", "--think", "1", "--max-moves", "150"];
    play(folder, &[&arguments[..], &["--save", file, "--lang", "en"]].concat(), "quit\n")
}

#[test]
fn two_people_play_save_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let lines = "76歩\n34歩\n22角\n9\n1\nundo\n22角成\nhello\n75歩\n同銀\nmoves\nflip\nsave a.kifu\nsave a.kifu\nquit\n";
    let (out, err) = play(here, &["--you", "both", "--lang", "en"], lines);
    assert_eq!(err, "");
    assert!(out.contains("v香v桂v銀v金v玉v金v銀v桂v香 一"), "{out}");
    assert!(
        out.contains("1 ２二角成(88)  2 ２二角(88)") || out.contains("1 ２二角(88)  2 ２二角成(88)"),
        "{out}"
    );
    assert!(out.contains("hello: no move or command") && out.contains("75歩: not legal here"), "{out}");
    assert!(out.contains("a.kifu: saved") && out.contains("1 move taken back"), "{out}");
    assert_eq!(usi(here, "a.kifu"), "startpos moves 7g7f 3c3d 8h2b+ 3a2b");

    let (out, err) = play(
        here,
        &["a.kifu", "--you", "both", "--lang", "ja"],
        "2六歩\n投了\n2六歩\nsave b.csa\nsave a.kifu\n終了\n",
    );
    assert_eq!(err, "");
    assert!(out.contains("先手の勝ち（投了）") && out.contains("対局は終わっています"), "{out}");
    assert!(out.contains("a.kifu: 既にあります"), "{out}");
    assert_eq!(usi(here, "b.csa"), "startpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f");
}

#[test]
fn a_whole_game_of_each_family_is_kept_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for variant in ["shogi", "freeze", "minishogi", "66shogi", "binarsi"] {
        let file = format!("{variant}.kifu");
        let (out, err) = engines_play(here, variant, &file);
        assert_eq!(err, "", "{variant}");
        assert!(out.contains(" wins: ") || out.contains("Draw: "), "{variant}: {out}");
        let line = usi(here, &file);
        assert!(line.split(' ').count() > 10, "{variant}: {line}");
        // The record goes on as the same game, at its end.
        let (again, err) = play(here, &[&file, "--lang", "en", "--you", "both"], "quit\n");
        assert_eq!(err, "", "{variant}");
        let is_verdict = |line: &&str| line.contains(" wins: ") || line.contains("Draw: ");
        let verdict = |out: &str| out.lines().rfind(is_verdict).map(str::to_owned);
        // Resignations and declarations are no moves.
        let by_rules = |verdict: &str| {
            ["no legal move", "repetition", "goal", "points"].iter().any(|word| verdict.contains(word))
        };
        if verdict(&out).is_some_and(|verdict| by_rules(&verdict)) {
            assert_eq!(verdict(&again), verdict(&out), "{variant}");
        }
    }
}

#[test]
fn an_engine_answers_and_takes_back_with_us() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--level", "15級", "--think", "10", "--save", "game.kifu", "--lang", "en"];
    let (out, err) = play(folder.path(), &arguments, "7g7f\nundo\n2g2f\nhint\nanalyze\nresign\nquit\n");
    assert_eq!(err, "");
    assert!(out.contains("2 moves taken back") && out.contains("White wins: resignation"), "{out}");
    assert!(out.contains("values from Black's view"), "{out}");
    let line = usi(folder.path(), "game.kifu");
    assert!(line.starts_with("startpos moves 2g2f "), "{line}");
    assert_eq!(line.split(' ').count(), 4);
    assert!(fs::read_to_string(folder.path().join("game.kifu")).unwrap().contains("   3 投了"));
}

#[test]
fn rules_are_explained_as_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (out, _) =
        play(here, &["--variant", "freeze", "--you", "both", "--lang", "en"], "76歩z歩\n34歩\nquit\n");
    assert!(out.contains("frozen for this move: 歩") && out.contains("freezes left: ☗2 ☖3"), "{out}");
    assert!(out.contains("34歩: not legal here"), "{out}");
    let (out, _) = play(here, &["--variant", "66shogi", "--you", "both", "--lang", "en"], "quit\n");
    assert!(out.contains("setup: Black and White still place pieces"), "{out}");
    let (out, _) = play(here, &["--variant", "binarsi", "--you", "both", "--lang", "en"], "4n\nquit\n");
    assert!(out.contains("1 ▲4n"), "{out}");
}

#[test]
fn wrong_arguments_and_dead_engines_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("bad.kif"), "nothing").unwrap();
    fs::write(here.join("mine.kifu"), "precious").unwrap();
    for (arguments, message) in [
        (&["--variant", "chess"][..], "unknown variant 'chess'"),
        (&["bad.kif"], "bad.kif: "),
        (&["missing.kif"], "missing.kif: "),
        (&["--level", "99"], "--level 99: "),
        (&["--engine", "cmd=./no-such-engine"], "cannot start"),
        (&["--save", "mine.kifu"], "mine.kifu: exists already"),
        (&["--position", "sfen 9/9"], "error: "),
    ] {
        let (_, err) = play(here, arguments, "quit\n");
        assert!(err.contains(message) && err.lines().count() == 1, "{arguments:?}: {err}");
    }
    assert_eq!(fs::read_to_string(here.join("mine.kifu")).unwrap(), "precious");
}

/// A terminal under tmux; `None` where there is no tmux.
struct Terminal {
    name: String,
}

impl Terminal {
    fn open(folder: &Path, name: &str, [columns, rows]: [&str; 2], command: &str) -> Option<Self> {
        let name = format!("tsumugi-{name}-{}", std::process::id());
        let done = Command::new("tmux")
            .current_dir(folder)
            .env("LC_ALL", "C.UTF-8")
            .args([
                "-L",
                &name,
                "-f",
                "/dev/null",
                "-u",
                "new-session",
                "-d",
                "-x",
                columns,
                "-y",
                rows,
                command,
            ])
            .status()
            .ok()?;
        done.success().then_some(Self { name })
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let run = Command::new("tmux").args(["-L", &self.name]).args(arguments).output().unwrap();
        String::from_utf8_lossy(&run.stdout).into_owned()
    }

    fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.tmux(&["send-keys", key]);
        }
    }

    /// Waits until the screen shows something.
    fn wait(&self, text: &str) -> String {
        self.wait_for(text, |screen| screen.contains(text))
    }

    /// Waits until the screen is as wanted.
    fn wait_for(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            if is_there(&screen) {
                return screen;
            }
            assert!(begin.elapsed() < Duration::from_mins(1), "no `{what}` in\n{screen}");
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn the_whole_terminal_is_played_at_by_cursor_and_words() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let command = format!("{PROGRAM} play --you both --lang ja --time 600 --save a.kifu");
    let Some(terminal) = Terminal::open(here, "cursor", ["40", "30"], &command) else {
        eprintln!("skipped: no tmux");
        return;
    };
    let screen = terminal.wait("help でコマンド一覧");
    assert!(screen.contains("v香v桂v銀v金v玉v金v銀v桂v香 一") && screen.contains("先手>"), "{screen}");
    // From 5e to 7g, which is chosen, and one square up.
    terminal.keys(&["Left", "Left", "Down", "Down", "Enter", "Up", "Enter"]);
    let screen = terminal.wait("後手>");
    assert!(screen.contains("1 ▲７六歩(77)"), "{screen}");
    terminal.keys(&["34歩", "Enter"]);
    terminal.wait("2 △３四歩(33)");
    terminal.keys(&["22角", "Enter"]);
    terminal.wait("どれですか");
    terminal.keys(&["1", "Enter"]);
    terminal.wait("3 ▲２二角");
    terminal.keys(&["同銀", "Enter"]);
    terminal.wait("4 △同　銀(31)");
    // The bishop from the hand, on 5e.
    terminal.keys(&["Tab", "Right", "Right", "Up", "Enter"]);
    let screen = terminal.wait("5 ▲５五角打");
    assert!(screen.contains("☗ 先手 ") && screen.contains("9:") || screen.contains("10:00"), "{screen}");
    terminal.keys(&["resign", "Enter"]);
    terminal.wait("先手の勝ち");
    terminal.keys(&["quit", "Enter"]);
    let begin = Instant::now();
    while !fs::read_to_string(here.join("a.kifu")).unwrap().contains("   6 投了") {
        assert!(begin.elapsed() < Duration::from_secs(20));
        sleep(Duration::from_millis(50));
    }
    assert!(usi(here, "a.kifu").starts_with("startpos moves 7g7f 3c3d 8h2b"));
}

/// A game that engines have played, typed move by move into a terminal of its own, saved and read back.
fn type_whole_game(here: &Path, variant: &str) {
    let (first, second) = (format!("{variant}-1.kifu"), format!("{variant}-2.kifu"));
    let (_, err) = engines_play(here, variant, &first);
    assert_eq!(err, "", "{variant}");
    let line = usi_moves(here, &first);
    let (_, moves) = line.split_once(" moves ").unwrap();
    let command = format!("{PROGRAM} play --variant {variant} --you both --lang en --save {second}");
    let Some(terminal) = Terminal::open(here, variant, ["100", "50"], &command) else {
        eprintln!("skipped: no tmux");
        return;
    };
    terminal.wait("help shows the commands");
    let moves: Vec<&str> = moves.split(' ').collect();
    for (index, word) in moves.iter().enumerate() {
        terminal.keys(&[word, "Enter"]);
        let shown = ['▲', '△'].map(|side| format!("{} {side}", index + 1));
        let is_played = |screen: &str| {
            screen.lines().any(|line| shown.iter().any(|shown| line.trim_start().starts_with(shown)))
        };
        terminal.wait_for(&format!("{variant}: {} {word}", index + 1), is_played);
    }
    terminal.keys(&["resign", "Enter"]);
    terminal.wait_for(variant, |screen| screen.contains("the game is over") || screen.contains(" wins: "));
    terminal.keys(&["quit", "Enter"]);
    let begin = Instant::now();
    while usi_moves(here, &second) != line {
        let written = usi_moves(here, &second);
        assert!(begin.elapsed() < Duration::from_secs(20), "{variant}: {written} is not {line}");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_whole_game_of_each_family_is_typed_into_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::thread::scope(|scope| {
        for variant in ["shogi", "freeze", "minishogi", "66shogi", "binarsi"] {
            scope.spawn(move || type_whole_game(here, variant));
        }
    });
}

/// An engine that ends in the middle of a game: the game is kept, and the terminal is given back.
#[test]
fn a_dead_engine_does_not_take_the_game_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let script = "#!/bin/sh\nwhile read line; do case $line in usi) echo usiok;; isready) echo readyok;; go*) exit 3;; esac; done\n";
    fs::write(here.join("dies.sh"), script).unwrap();
    let sh = ["cmd=/bin/sh", "args=dies.sh", "dir=.", "name=Dies"];
    let mut arguments = vec!["--save", "kept.kifu", "--lang", "en", "--engine"];
    arguments.extend(sh);
    if !Path::new("/bin/sh").exists() {
        eprintln!("skipped: no /bin/sh");
        return;
    }
    let (_, err) = play(here, &arguments, "7g7f\nquit\n");
    assert!(err.contains("Dies") && err.lines().count() == 1, "{err}");
    assert_eq!(usi(here, "kept.kifu"), "startpos moves 7g7f");
}

/// A dumb terminal gets lines and no escape sequences.
#[test]
fn a_dumb_terminal_is_written_to_in_lines() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("env TERM=dumb {PROGRAM} play --you both --lang en");
    let Some(terminal) = Terminal::open(folder.path(), "dumb", ["40", "60"], &command) else {
        eprintln!("skipped: no tmux");
        return;
    };
    terminal.wait("Black>");
    terminal.keys(&["76歩", "Enter"]);
    let screen = terminal.wait("1 ▲７六歩(77)");
    // Both boards are there: nothing was drawn over.
    assert_eq!(screen.matches("v香v桂v銀v金v玉v金v銀v桂v香 一").count(), 2, "{screen}");
}
