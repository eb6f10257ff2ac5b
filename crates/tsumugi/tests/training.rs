//! `tsumugi train fit` and the console's `learn`, as users run them.

use shogi::{Color, GameResult, PackedSfen, Position, TeacherRecord};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use train::fit::random_positions;

fn tsumugi() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tsumugi"))
}

/// Positions whose scores are what their pieces are worth.
fn write_teachers(path: &Path, count: usize) {
    let record = |position: &Position| {
        let material = position.material();
        let score = if position.side() == Color::Black { material } else { -material };
        TeacherRecord {
            position: PackedSfen::try_from(position).unwrap(),
            score: score.clamp(-2000, 2000) as i16,
            move_bits: 0,
            ply: position.ply() as u16,
            result: if score > 0 { GameResult::Win } else { GameResult::Loss },
            padding: 0,
        }
    };
    let records = random_positions(count, 4);
    let bytes: Vec<u8> = records.iter().flat_map(|position| record(position).to_bytes()).collect();
    fs::write(path, bytes).unwrap();
}

fn fit(data: &Path, out: &Path) -> Command {
    let mut command = tsumugi();
    command.args(["train", "fit", "--shape", "mirrored-64-7-8-k3k3", "--epochs", "40", "--batch", "500"]);
    command.args(["--held-out", "10", "--lr", "0.003", "--checkpoint-every", "0", "--threads", "2"]);
    command.arg("--data").arg(data).arg("--out").arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn killed_and_resumed_it_comes_to_the_same_network() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("teachers.psv");
    write_teachers(&data, 4000);
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    let done = fit(&data, &whole).output().unwrap();
    assert!(done.status.success(), "{}", words(&done));
    assert!(words(&done).contains("as quantised"), "{}", words(&done));

    for _ in 0..3 {
        let mut child = fit(&data, &broken).spawn().unwrap();
        let start = Instant::now();
        let checkpoint = broken.join("checkpoint.bin");
        let written = || fs::metadata(&checkpoint).and_then(|file| file.modified()).ok();
        let before = written();
        while written() == before && start.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // Too late for a kill, and still right: it has ended by itself.
        child.kill().ok();
        child.wait().unwrap();
    }
    let resumed = fit(&data, &broken).output().unwrap();
    assert!(resumed.status.success(), "{}", words(&resumed));
    assert!(words(&resumed).contains("going on after batch"), "{}", words(&resumed));
    for name in ["net.float", "nn.bin"] {
        assert!(fs::read(whole.join(name)).unwrap() == fs::read(broken.join(name)).unwrap(), "{name}");
    }

    let mut other = fit(&data, &broken);
    let refused = other.args(["--seed", "7"]).output().unwrap();
    assert!(!refused.status.success() && words(&refused).contains("seed was 1, is 7"), "{}", words(&refused));

    let quantised = folder.path().join("again.bin");
    let done =
        tsumugi().args(["train", "quantise"]).args([&whole.join("net.float"), &quantised]).output().unwrap();
    assert!(done.status.success(), "{}", words(&done));
    assert!(fs::read(&quantised).unwrap() == fs::read(whole.join("nn.bin")).unwrap());

    // What was rounded stays so, there and back; a shape that it cannot grow to is refused.
    let [real, back] = ["real.float", "back.bin"].map(|name| folder.path().join(name));
    for (command, files) in [("unquantise", [&quantised, &real]), ("quantise", [&real, &back])] {
        let done = tsumugi().args(["train", command]).args(files).output().unwrap();
        assert!(done.status.success(), "{}", words(&done));
    }
    assert!(fs::read(&back).unwrap() == fs::read(&quantised).unwrap());
    let mean = |nets: &[&Path], shares: &str| {
        let mut command = tsumugi();
        command
            .args(["train", "mean", "--shares", shares, "-o"])
            .arg(folder.path().join("mean.float"))
            .args(nets);
        command.output().unwrap()
    };
    let net = whole.join("net.float");
    assert!(mean(&[&net, &real], "1,0").status.success());
    let of_mean = folder.path().join("mean.bin");
    let done = tsumugi()
        .args(["train", "quantise"])
        .args([&folder.path().join("mean.float"), &of_mean])
        .output()
        .unwrap();
    assert!(done.status.success() && fs::read(&of_mean).unwrap() == fs::read(&quantised).unwrap());
    assert!(words(&mean(&[&net, &real], "1")).contains("2 networks, but 1 shares"));
    assert!(words(&mean(&[&net, &real], "1,-1")).contains("there is no mean"));
    let mut narrow = tsumugi();
    narrow.args(["train", "unquantise"]).args([&back, &real]).args(["--shape", "mirrored-32x2-8-8"]);
    let refused = narrow.output().unwrap();
    assert!(words(&refused).contains("cannot grow"), "{}", words(&refused));
}

#[test]
fn bad_input_is_told_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("teachers.psv");
    let out = folder.path().join("out");
    let refused = fit(&data, &out).output().unwrap();
    assert!(words(&refused).contains("teachers.psv"), "{}", words(&refused));
    fs::write(&data, [7; 60]).unwrap();
    let refused = fit(&data, &out).output().unwrap();
    assert!(!refused.status.success() && words(&refused).contains("record"), "{}", words(&refused));
    assert!(!out.exists());
    let refused = tsumugi().args(["train", "quantise", "Cargo.toml", "x.bin"]).output().unwrap();
    assert!(words(&refused).contains("not a network of real numbers"), "{}", words(&refused));
    let refused =
        tsumugi().args(["train", "fit", "--data", "x", "--out", "y", "--shape", "256"]).output().unwrap();
    assert!(words(&refused).contains("does not describe a network"), "{}", words(&refused));
}

/// Lines that the console says to some commands in a folder.
fn console(folder: &Path, lines: &str) -> String {
    let mut child = tsumugi()
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn the_console_shuffles_and_converts() {
    let folder = tempfile::tempdir().unwrap();
    write_teachers(&folder.path().join("a.bin"), 300);
    let said = console(
        folder.path(),
        "isready\nlearn shuffle a.bin output_file_name s.bin\nlearn convert_plain s.bin output_file_name s.txt\n\
         learn convert_bin s.txt output_file_name t.bin\nlearn lambda 3\nlearn nothing.bin\nlearn\nquit\n",
    );
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let (a, s, t) = (read("a.bin"), read("s.bin"), read("t.bin"));
    assert!(a != s && s == t, "{said}");
    let sorted = |bytes: &[u8]| {
        let mut records: Vec<_> = bytes.as_chunks::<40>().0.to_vec();
        records.sort_unstable();
        records
    };
    assert!(sorted(&a) == sorted(&s));
    assert!(said.contains("lambda: expected a number from 0 to 1, found `3`"), "{said}");
    assert!(said.contains("nothing.bin"), "{said}");
    assert!(said.contains("newbob_decay"), "{said}");
}

#[test]
fn a_network_from_nothing_by_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("first");
    let run = |more: &[&str]| {
        let mut command = tsumugi();
        command.args([
            "train",
            "run",
            "--minutes",
            "1",
            "--nodes",
            "20",
            "--threads",
            "2",
            "--match-games",
            "2",
        ]);
        // Relative: the engines of the match run in another folder.
        command.current_dir(folder.path()).args(["--shape", "mirrored-64-7-8", "--out", "first"]).args(more);
        command.output().unwrap()
    };
    let plan = run(&["--dry-run"]);
    let plan = String::from_utf8(plan.stdout).unwrap();
    let steps: Vec<&str> = plan.lines().collect();
    assert_eq!(steps.len(), 3, "{plan}");
    assert!(!out.exists());
    // Games for three quarters of a minute are too many for a test: as if they had been played.
    let few = [
        "train",
        "generate",
        "--material",
        "1",
        "--nodes",
        "20",
        "--games",
        "300",
        "--threads",
        "2",
        "--out",
    ];
    assert!(tsumugi().args(few).arg(out.join("games1")).output().unwrap().status.success());
    fs::write(out.join("steps.txt"), format!("{}\n", steps[0])).unwrap();
    let done = run(&[]);
    assert!(done.status.success(), "{}", words(&done));
    assert!(out.join("net1/nn.bin").exists() && out.join("match1").is_dir());
    assert!(words(&done).contains("[2/3] tsumugi train fit") && !words(&done).contains("[1/3]"));
    let config = fs::read_to_string(out.join("match1/config.json")).unwrap();
    assert!(
        config.contains(&format!("{:?}", out.join("net1"))),
        "the match is played by the network: {config}"
    );
    // Done is done, and another run does not get into its folder.
    assert!(!words(&run(&[])).contains("[3/3]"));
    let other = run(&["--seed", "7"]);
    assert!(
        !other.status.success() && words(&other).contains("a run with other settings"),
        "{}",
        words(&other)
    );
}

#[test]
fn teachers_from_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.bin");
    let mut child = tsumugi().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let orders = format!(
        "setoption name Threads value 2\nisready\ngensfen depth 1 loop 200 write_minply 1 seed 5 hash 1 output_file_name {}\n\
        gensfen loop\nquit\n",
        file.display()
    );
    child.stdin.take().unwrap().write_all(orders.as_bytes()).unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("gensfen: 200 positions written"), "{said}");
    assert!(said.contains("loop: expected a value, found nothing"), "{said}");
    assert_eq!(fs::metadata(&file).unwrap().len(), 200 * 40);
    // Through all formats and back.
    let convert = |from: &Path, to: &str| {
        let to = folder.path().join(to);
        let done = tsumugi().args(["train", "convert"]).arg(from).arg("-o").arg(&to).output().unwrap();
        assert!(done.status.success(), "{}", words(&done));
        to
    };
    let pack = convert(&file, "t.pack");
    let plain = convert(&pack, "t.txt");
    let again = convert(&plain, "again.bin");
    assert_eq!(fs::read(&again).unwrap(), fs::read(&file).unwrap());
    let games = convert(&file, "t.hcpe3");
    assert_eq!(fs::metadata(convert(&games, "again.hcpe")).unwrap().len(), 200 * 38);
    // Corrected scores are others, the games are the same.
    let correct = |from: &Path, to: &str| {
        let to = folder.path().join(to);
        let done = tsumugi().args(["train", "correct"]).arg(from).arg("-o").arg(&to).output().unwrap();
        (words(&done), to)
    };
    let (said, corrected) = correct(&pack, "corrected.pack");
    assert!(said.contains("cross entropy of results"), "{said}");
    let lines = |path: &Path, score: bool| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().filter(|line| line.starts_with("score") == score).map(str::to_owned).collect()
    };
    let corrected = convert(&corrected, "corrected.txt");
    assert_eq!(lines(&corrected, false), lines(&plain, false));
    assert_ne!(lines(&corrected, true), lines(&plain, true));
    // Positions beside the games, the same again for the same seed.
    let stray = |seed: &str, to: &str| {
        let to = folder.path().join(to);
        let done = tsumugi()
            .args(["train", "stray", "--seed", seed])
            .arg(&pack)
            .arg("-o")
            .arg(&to)
            .output()
            .unwrap();
        (words(&done), fs::read(to).unwrap_or_default())
    };
    let (said, beside) = stray("3", "beside.psv");
    assert!(said.contains(&format!("{} positions written", beside.len() / 40)), "{said}");
    assert!((180..=200).contains(&(beside.len() / 40)), "{said}");
    assert_eq!(stray("3", "again.psv").1, beside);
    assert_ne!(stray("4", "other.psv").1, beside);
    let done = tsumugi().args(["train", "check"]).arg(folder.path().join("beside.psv")).output().unwrap();
    assert!(done.status.success(), "{}", words(&done));
    assert!(stray("3", "beside.pack").0.contains("expected .bin, .psv"));
    // What searches visit, the same with any number of threads.
    let visited = |threads: &str, to: &str| {
        let to = folder.path().join(to);
        let mut command = tsumugi();
        command.args(["train", "stray", "--search", "20", "--each", "3", "--hash", "1", "--material", "1"]);
        let done = command.args(["--threads", threads]).arg(&pack).arg("-o").arg(&to).output().unwrap();
        (words(&done), fs::read(to).unwrap_or_default())
    };
    let (said, one) = visited("1", "one.psv");
    assert!(
        said.contains(&format!("{} positions written", one.len() / 40)) && one.len() > 40 * 400,
        "{said}"
    );
    assert_eq!(visited("2", "two.psv").1, one);
    let done = tsumugi().args(["train", "check"]).arg(folder.path().join("one.psv")).output().unwrap();
    assert!(done.status.success(), "{}", words(&done));
    let done = tsumugi().args(["train", "stray", "--each", "3", "-o", "x.psv"]).arg(&pack).output().unwrap();
    assert!(words(&done).contains("--search"), "{}", words(&done));
    let (said, nothing) = correct(&pack, "corrected.sfen");
    assert!(said.contains("expected .pack, .bin") && !nothing.exists(), "{said}");
}
