//! `tsumugi csa` from the outside: a server, two clients with this program as the engine, and messages for wrong arguments.

mod program;

use program::{feed, tsumugi};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// All files below a folder.
fn texts(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, found);
        } else {
            found.push((
                path.display().to_string(),
                String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned(),
            ));
        }
    }
}

fn started(command: &mut Command) -> (Child, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    (child, line)
}

#[test]
fn two_clients_and_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("word.txt"), "very-secret\n").unwrap();
    let hall = place.join("hall").display().to_string();
    // Nodes end the thinking, so that no clock decides anything.
    let serve = [
        "csa",
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--time",
        "600000+100",
        "--unit",
        "msec",
        "--max-moves",
        "30",
    ];
    let (server, line) = started(tsumugi(&serve).args(["--games", "2", "--out", &hall]));
    let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
    // One from the command line, with the password in a file; one from a file, with the password in the environment.
    let config = format!(
        "server = \"{address}\"\nname = \"bob\"\nengine = [\"hash=16\", \"option.NodesLimit=500\", \"ponder=on\"]\ngames = 2\nout = \"bob\"\n"
    );
    fs::write(place.join("bob.toml"), config).unwrap();
    let mut bob = tsumugi(&["csa", "play", "--config", "bob.toml"]);
    bob.current_dir(place)
        .env("TSUMUGI_CSA_PASSWORD", "very-secret")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let bob = bob.spawn().unwrap();
    let mut alice =
        tsumugi(&["csa", "play", "--server", &address, "--name", "alice", "--password-file", "word.txt"]);
    let alice = alice
        .current_dir(place)
        .args(["--engine", "hash=16", "option.NodesLimit=500", "--games", "2", "--out", "alice"])
        .output()
        .unwrap();
    let outputs = [alice, bob.wait_with_output().unwrap(), server.wait_with_output().unwrap()];
    for output in &outputs {
        assert!(output.status.success(), "{output:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("very-secret"));
    }
    assert!(String::from_utf8_lossy(&outputs[2].stdout).contains("2 games,"), "{outputs:?}");
    let mut found = Vec::new();
    for name in ["alice", "bob", "hall"] {
        texts(&place.join(name), &mut found);
        let games = fs::read_to_string(place.join(name).join("games.jsonl")).unwrap();
        assert_eq!(games.lines().count(), 2, "{name}");
        assert!(!games.contains("\"time\"") && !games.contains("faults"), "{games}");
    }
    assert!(found.iter().all(|(_, text)| !text.contains("very-secret")), "the password is in a file");
    assert!(found.iter().any(|(path, text)| path.contains("alice") && text.contains("> LOGIN alice *****")));
    // The names of all games name both players, so the folder decides.
    let own = place.join("alice").display().to_string();
    let csa = found
        .iter()
        .filter(|(path, _)| path.starts_with(&own) && Path::new(path).extension() == Some("csa".as_ref()));
    let without_scores = csa.clone().filter(|(_, text)| !text.contains("\n'** "));
    assert_eq!((csa.clone().count(), without_scores.count()), (2, 0), "scores of our engine");
}

/// Clients that are interrupted and killed, and the server side of it by hand.
#[cfg(unix)]
mod interrupts {
    use super::tsumugi;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::path::Path;
    use std::process::{Child, ChildStdout, Command, Stdio};

    const SUMMARY: &str = "BEGIN Game_Summary\nGame_ID:g\nName+:me\nName-:other\nYour_Turn:+\nTo_Move:+\nBEGIN Time\n\
        Total_Time:600\nByoyomi:10\nEND Time\nBEGIN Position\nPI\n+\nEND Position\nEND Game_Summary\n";

    struct Server {
        listener: TcpListener,
        side: Option<(TcpStream, BufReader<TcpStream>)>,
    }

    impl Server {
        /// Takes a connection and its login.
        fn accept(&mut self) {
            let (stream, _) = self.listener.accept().expect("it comes");
            let reader = BufReader::new(stream.try_clone().expect("two handles"));
            self.side = Some((stream, reader));
            assert_eq!(self.hear(), "LOGIN me word");
            self.say("LOGIN:me OK\n");
        }

        fn say(&mut self, text: &str) {
            let side = self.side.as_mut().expect("it is connected");
            side.0.write_all(text.as_bytes()).expect("it is said");
        }

        fn begin(&mut self) {
            self.say(SUMMARY);
            assert_eq!(self.hear(), "AGREE g");
            self.say("START:g\n");
        }

        /// The next line of the client that is not blank.
        fn hear(&mut self) -> String {
            let side = self.side.as_mut().expect("it is connected");
            loop {
                let mut line = String::new();
                side.1.read_line(&mut line).expect("it is heard");
                if line.is_empty() || line != "\n" {
                    return line.trim_end().to_owned();
                }
            }
        }
    }

    struct Client {
        child: Child,
        output: BufReader<ChildStdout>,
        /// What it has printed.
        text: String,
    }

    impl Client {
        fn start(command: &mut Command) -> Self {
            let command = command.env("TSUMUGI_CSA_PASSWORD", "word").stdout(Stdio::piped());
            let mut child = command.spawn().expect("it starts");
            let output = BufReader::new(child.stdout.take().expect("a pipe"));
            Self { child, output, text: String::new() }
        }

        /// Waits until it prints this.
        fn until(&mut self, words: &str) {
            while !self.text.contains(words) {
                let read = self.output.read_line(&mut self.text).expect("text");
                assert!(read > 0, "it ended without `{words}`: {}", self.text);
            }
        }

        fn interrupt(&self) {
            let id = self.child.id().to_string();
            assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill is there").success());
        }

        /// Its exit status and all that it has printed.
        fn end(mut self) -> (Option<i32>, String) {
            self.output.read_to_string(&mut self.text).expect("text");
            (self.child.wait().expect("it ends").code(), self.text)
        }
    }

    /// A client that has logged in, and its server; the engine has ten minutes.
    fn client(folder: &Path, mode: &str) -> (Server, Client) {
        client_of(TcpListener::bind("127.0.0.1:0").expect("a free port"), folder, mode)
    }

    fn client_of(listener: TcpListener, folder: &Path, mode: &str) -> (Server, Client) {
        let address = listener.local_addr().expect("an address").to_string();
        let out = folder.join("out").display().to_string();
        let mut command = tsumugi(&["csa", "play", "--server", &address, "--name", "me", "--games", "0"]);
        let mut client = Client::start(command.args(["--mode", mode, "--out", &out, "--engine", "hash=16"]));
        let mut server = Server { listener, side: None };
        server.accept();
        client.until("logged in as me");
        (server, client)
    }

    /// The same with a game that has begun.
    fn playing(folder: &Path, mode: &str) -> (Server, Client) {
        let (mut server, client) = client(folder, mode);
        server.begin();
        (server, client)
    }

    #[test]
    fn before_a_game_the_client_logs_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut server, client) = client(folder.path(), "floodgate");
        client.interrupt();
        assert_eq!(server.hear(), "LOGOUT");
        server.say("LOGOUT:completed\n");
        let (status, text) = client.end();
        assert_eq!(status, Some(0), "{text}");
        assert!(text.contains("0 games"), "{text}");
    }

    #[test]
    fn once_is_the_last_game_and_twice_gives_it_up() {
        for (mode, word) in [("floodgate", "%TORYO"), ("csa", "%CHUDAN")] {
            let folder = tempfile::tempdir().expect("a folder");
            let (mut server, mut client) = playing(folder.path(), mode);
            client.interrupt();
            client.until("this game is the last one; Ctrl-C again gives it up");
            client.interrupt();
            assert_eq!(server.hear(), word);
            server.say(if mode == "csa" { "#CHUDAN\n" } else { "%TORYO,T1\n#RESIGN\n#LOSE\n" });
            if mode == "csa" {
                assert_eq!(server.hear(), "LOGOUT");
                server.say("LOGOUT:completed\n");
            }
            let (status, text) = client.end();
            assert_eq!(status, Some(0), "{text}");
            assert!(text.contains("1 games"), "{text}");
            // It has not logged in again.
            server.listener.set_nonblocking(true).expect("a flag");
            assert!(server.listener.accept().is_err());
        }
    }

    #[test]
    fn thrice_is_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut server, mut client) = playing(folder.path(), "floodgate");
        client.interrupt();
        client.until("this game is the last one");
        client.interrupt();
        assert_eq!(server.hear(), "%TORYO");
        // The server says nothing to that.
        client.interrupt();
        assert_eq!(client.end().0, Some(130));
    }

    #[test]
    fn a_killed_client_goes_on_in_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut server, mut client) = playing(folder.path(), "floodgate");
        server.say("##[MOTD] word\n#TIME_UP\n#LOSE\n");
        // The next login: the first game is in the folder.
        server.accept();
        server.begin();
        client.child.kill().expect("it is killed");
        client.child.wait().expect("it ends");
        let (mut server, client) = client_of(server.listener, folder.path(), "floodgate");
        server.begin();
        server.say("#TIME_UP\n#LOSE\n");
        server.accept();
        client.interrupt();
        let (status, text) = client.end();
        assert_eq!(status, Some(0), "{text}");
        let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).expect(name);
        assert_eq!(read("games.jsonl").lines().count(), 2);
        assert!(read("g.csa").contains("%TIME_UP") && read("g_2.kifu").contains("切れ負け"));
        let mut files = Vec::new();
        super::texts(folder.path(), &mut files);
        let leaks: Vec<_> =
            files.iter().filter(|(_, text)| text.contains("] word")).map(|(path, _)| path).collect();
        assert!(leaks.is_empty(), "{leaks:?}");
    }

    #[test]
    fn a_server_that_does_not_answer_is_left_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out").display().to_string();
        let port = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("one").port();
        let address = format!("127.0.0.1:{port}");
        let mut command = tsumugi(&["csa", "play", "--server", &address, "--name", "me", "--out", &out]);
        let mut client = Client::start(command.args(["--engine", "hash=16"]));
        client.until("refused");
        client.interrupt();
        let (status, text) = client.end();
        assert_eq!(status, Some(0), "{text}");
        assert!(text.contains("again in"), "{text}");
    }
}

#[test]
fn wrong_words() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let mut command = tsumugi(&["csa"]);
        command.args(arguments).current_dir(folder.path()).env_remove("TSUMUGI_CSA_PASSWORD");
        let output = feed(&mut command, "");
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let play = ["play", "--server", "127.0.0.1:1", "--name", "a", "--out", "o"];
    for (arguments, message) in [
        (vec!["play"], "--server is missing"),
        (vec!["play", "--server", "h:x", "--name", "a"], "--server h:x: the port"),
        (play.to_vec(), "no password: give --password-file"),
        ([&play[..], &["--password-file", "none.txt"]].concat(), "--password-file none.txt"),
        ([&play[..], &["--engine", "nodes=5"]].concat(), "the server keeps the time"),
        ([&play[..], &["--mode", "x2"]].concat(), "possible values: floodgate, csa, x1"),
        ([&play[..], &["--tls-ca", "ca.pem"]].concat(), "--tls"),
        (vec!["serve", "--time", "5", "--out", "o"], "expected TOTAL+INCREMENTF"),
        (vec!["serve", "--time", "5+1", "--event", "a b", "--out", "o"], "--event `a b`"),
        (vec!["serve", "--time", "5+1", "--rounds", "2", "--out", "o"], "--rounds 2: only"),
        (vec!["serve", "--time", "5+1", "--pairing", "swiss", "--out", "o"], "need --users"),
    ] {
        let said = said(&arguments);
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    fs::write(folder.path().join("c.toml"), "sever = 1\n").unwrap();
    assert!(said(&["play", "--config", "c.toml"]).contains("unknown field `sever`"));
}
