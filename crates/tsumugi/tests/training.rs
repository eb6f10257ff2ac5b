//! `tsumugi train fit` and the console's `learn`, as users run them.

use shogi::{Color, GameResult, PackedSfen, PackedSfenValue, Position};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use train::fit::{FloatNet, random_positions};

fn tsumugi() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tsumugi"))
}

/// Positions whose scores are what their pieces are worth.
fn write_data(path: &Path, count: usize) {
    let record = |position: &Position| {
        let material = position.material();
        let score = if position.side() == Color::Black { material } else { -material };
        PackedSfenValue {
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
    let data = folder.path().join("data.psv");
    write_data(&data, 4000);
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
    assert!(words(&mean(&[&net, &real], "1,-1")).contains("no mean can be computed"));
    let mut narrow = tsumugi();
    narrow.args(["train", "unquantise"]).args([&back, &real]).args(["--shape", "mirrored-32x2-8-8"]);
    let refused = narrow.output().unwrap();
    assert!(words(&refused).contains("cannot grow"), "{}", words(&refused));
}

#[test]
fn bad_input_is_told_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data.psv");
    let out = folder.path().join("out");
    let refused = fit(&data, &out).output().unwrap();
    assert!(words(&refused).contains("data.psv"), "{}", words(&refused));
    fs::write(&data, [7; 60]).unwrap();
    let refused = fit(&data, &out).output().unwrap();
    assert!(!refused.status.success() && words(&refused).contains("record"), "{}", words(&refused));
    assert!(!out.exists());
    let refused = tsumugi().args(["train", "quantise", "Cargo.toml", "x.bin"]).output().unwrap();
    assert!(words(&refused).contains("not a floating-point network"), "{}", words(&refused));
    let refused =
        tsumugi().args(["train", "fit", "--data", "x", "--out", "y", "--shape", "256"]).output().unwrap();
    assert!(words(&refused).contains("does not describe a supported network"), "{}", words(&refused));
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
    write_data(&folder.path().join("a.bin"), 300);
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

/// A network in `EvalDir` is what `learn` goes on with; it is saved after each loop and at the end.
#[test]
fn the_console_learns_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write_data(&path("a.bin"), 2000);
    let shape = train::fit::parse_shape("mirrored-64-7-8-k3k3").unwrap();
    fs::create_dir(path("eval")).unwrap();
    FloatNet::random(&shape, 3).unwrap().save_quantised(&path("eval/nn.bin")).unwrap();
    let said = console(
        folder.path(),
        "setoption name Threads value 2\nisready\nlearn a.bin loop 3 nn_batch_size 100 eta 3 lambda 1 batchsize 7\n\
         setoption name EvalDir value evalsave/final\nisready\nlearn eta 32 a.bin\n\
         setoption name EvalSaveDir value once\nlearn a.bin save_only_once nn_batch_size 500\nquit\n",
    );
    let losses: Vec<f64> = said
        .lines()
        .filter_map(|line| line.split_once(", loss ")?.1.split(',').next()?.parse().ok())
        .collect();
    assert!(losses.len() == 4 && losses[2] < 0.8 * losses[0], "{losses:?} {said}");
    assert!(said.contains("learn: without effect on networks: batchsize\n"), "{said}");
    for (number, name) in [(1, "0"), (2, "1"), (3, "2")] {
        assert!(said.contains(&format!("learn: loop {number} of 3 done, saved to ")), "{said}");
        assert!(path("evalsave").join(name).join("nn.bin").is_file(), "{said}");
    }
    assert_eq!(
        fs::read(path("evalsave/2/nn.bin")).unwrap(),
        fs::read(path("evalsave/final/nn.bin")).unwrap()
    );
    assert_ne!(fs::read(path("evalsave/1/nn.bin")).unwrap(), fs::read(path("evalsave/2/nn.bin")).unwrap());
    assert!(said.contains("final: network "), "the new network plays: {said}");
    assert!(said.contains("eta: expected at most 10 for a network"), "{said}");
    assert!(said.contains("learn: loop 1 of 1 done, "), "{said}");
    assert_eq!(fs::read_dir(path("once")).unwrap().count(), 1, "only `final`");
    // Tables beside a network would never be loaded.
    let said = console(folder.path(), "isready\nlearn a.bin format kppt16\nquit\n");
    assert!(said.contains("nn.bin: a network, which would play instead of the tables"), "{said}");
}

/// Whatever ends without learning says why.
#[test]
fn learn_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write_data(&path("a.bin"), 40);
    fs::write(path("empty.bin"), "").unwrap();
    let shape = train::fit::parse_shape("mirrored-64-7-8-k3k3").unwrap();
    fs::create_dir(path("eval")).unwrap();
    FloatNet::random(&shape, 3).unwrap().save_quantised(&path("eval/nn.bin")).unwrap();
    let failing = |words: &str| {
        let mut command = tsumugi();
        let done = command.current_dir(folder.path()).args(["isready", ",", "learn"]).args(words.split(' '));
        let done = done.args([",", "quit"]).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        let error = said.lines().find_map(|line| line.strip_prefix("info string Error! ")).unwrap_or(&said);
        (error.to_owned(), done.status.code())
    };
    let usage = "; `learn` alone lists all options";
    for (words, message, code) in [
        ("a.bin foo 3", format!("learn: unknown word `foo`, and no such file{usage}"), 2),
        ("a.bin loop 0", format!("learn: loop: expected a whole number above 0, found `0`{usage}"), 2),
        ("loop 3", format!("learn: no training data: expected files or `targetdir DIR`{usage}"), 2),
        ("empty.bin", "learn: no positions in empty.bin".to_owned(), 1),
        ("shuffle empty.bin", "learn: no positions in empty.bin".to_owned(), 1),
        (
            "convert_plain empty.bin output_file_name x.txt",
            "learn: no positions in the training data; nothing is written".to_owned(),
            1,
        ),
        (
            "a.bin eval_limit -1",
            "learn: no positions to learn from: each of 40 is drawn or beyond eval_limit -1 (use_draw_in_training 1 takes \
             draws)"
                .to_owned(),
            1,
        ),
        (
            "newbob_decay 0.5 validation_set_file_name empty.bin a.bin",
            "learn: no positions in empty.bin".to_owned(),
            1,
        ),
    ] {
        assert_eq!(failing(words), (message, Some(code)), "{words}");
    }
    assert!(!path("evalsave").exists() && !path("x.txt").exists());
}

/// Limits that leave nothing to write end in an error, not in games without end.
#[test]
fn gensfen_refuses_to_play_in_vain() {
    let folder = tempfile::tempdir().unwrap();
    let said = console(
        folder.path(),
        "setoption name EvalDir value <material>\nisready\ngensfen write_minply 30 write_maxply 20\n\
         gensfen depth 1 hash 1 seed 1 loop 10 eval_limit 1 write_minply 300 write_maxply 301 random_move_maxply 3\nquit\n",
    );
    assert!(
        said.contains(
            "Error! gensfen: write_minply 30: expected at most write_maxply, which is 20; `gensfen help`"
        ),
        "{said}"
    );
    assert!(
        said.contains("Error! gensfen: no new position in 1000 games in a row, 0 are written; "),
        "{said}"
    );
}

/// A file of another kind stays as it is, whatever writes to its name.
#[test]
fn files_of_another_kind_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write_data(&path("a.bin"), 200);
    let notes = "notes of a year, longer than one record of forty bytes, and not to be lost\n";
    let names = ["notes.txt", "notes.bin", "notes.pack", "notes.hcpe", "notes.sfen", "notes.float"];
    for name in names {
        fs::write(path(name), notes).unwrap();
    }
    let said = console(
        folder.path(),
        "setoption name EvalDir value <material>\nisready\ngensfen depth 1 loop 10 output_file_name notes.txt\n\
         learn shuffle a.bin output_file_name notes.bin\nlearn convert_plain a.bin output_file_name notes.txt\nquit\n",
    );
    let refused = said.matches("the file is there and is not a file of training data").count();
    assert_eq!(refused, 3, "{said}");
    for name in &names[..5] {
        let done = tsumugi()
            .current_dir(folder.path())
            .args(["train", "convert", "a.bin", "-o", name])
            .output()
            .unwrap();
        assert!(!done.status.success() && words(&done).contains("--force"), "{name}: {}", words(&done));
    }
    let shape = train::fit::parse_shape("mirrored-64-7-8-k3k3").unwrap();
    FloatNet::random(&shape, 3).unwrap().save(&path("a.float")).unwrap();
    for arguments in [
        ["train", "mean", "a.float", "-o", "notes.float"],
        ["train", "quantise", "a.float", "notes.bin", "--positions=1"],
    ] {
        let done = tsumugi().current_dir(folder.path()).args(arguments).output().unwrap();
        let said = words(&done);
        assert!(!done.status.success() && said.contains("the file is there and is not a "), "{said}");
    }
    for name in names {
        assert_eq!(fs::read_to_string(path(name)).unwrap(), notes, "{name}");
    }
    // Wanted, it is replaced.
    let said = console(
        folder.path(),
        "setoption name EvalDir value <material>\nisready\ngensfen depth 1 hash 1 loop 10 force output_file_name notes.txt\nquit\n",
    );
    assert_eq!(fs::metadata(path("notes.txt")).unwrap().len(), 400, "{said}");
    let done = tsumugi()
        .current_dir(folder.path())
        .args(["train", "convert", "a.bin", "-o", "notes.sfen", "--force"])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", words(&done));
    // Our own is replaced without asking.
    let again = tsumugi()
        .current_dir(folder.path())
        .args(["train", "convert", "a.bin", "-o", "notes.sfen"])
        .output()
        .unwrap();
    assert!(again.status.success(), "{}", words(&again));
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
fn training_data_from_the_console() {
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
        command.args(["train", "perturb", "--search", "20", "--each", "3", "--hash", "1", "--material", "1"]);
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
    let done =
        tsumugi().args(["train", "perturb", "--each", "3", "-o", "x.psv"]).arg(&pack).output().unwrap();
    assert!(words(&done).contains("--search"), "{}", words(&done));
    let (said, nothing) = correct(&pack, "corrected.sfen");
    assert!(said.contains("expected .pack, .bin") && !nothing.exists(), "{said}");
}
