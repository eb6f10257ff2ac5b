//! Both implementations of pipes pass the same tests.

use crate::lines::Heard;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

fn start(script: &str) -> (Child, ChildStdin, ChildStdout) {
    let mut child = Command::new("sh")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, stdin, stdout)
}

fn soon() -> Instant {
    Instant::now() + Duration::from_mins(1)
}

fn text(heard: Heard) -> Option<String> {
    match heard {
        Heard::Line(line) => Some(line.text),
        Heard::Silence | Heard::Closed => None,
    }
}

macro_rules! promises {
    ($module:ident) => {
        mod $module {
            use super::super::$module::Pipes;
            use super::*;

            #[test]
            fn lines_come_back_and_the_end_is_told() {
                let (mut child, stdin, stdout) = start("cat");
                let mut pipes = Pipes::new(stdin, stdout).unwrap();
                assert_eq!(pipes.listen_now().unwrap(), Heard::Silence);
                assert_eq!(pipes.listen(Instant::now(), None).unwrap(), Heard::Silence);
                pipes.send("one\ntwo", soon()).unwrap();
                assert_eq!(text(pipes.listen(soon(), None).unwrap()).as_deref(), Some("one"));
                pipes.close_input();
                assert!(pipes.send("three\n", soon()).is_err());
                assert_eq!(text(pipes.listen(soon(), None).unwrap()).as_deref(), Some("two"));
                assert_eq!(pipes.listen(soon(), None).unwrap(), Heard::Closed);
                assert_eq!(pipes.listen_now().unwrap(), Heard::Closed);
                assert_eq!(pipes.total_heard(), 7);
                child.wait().unwrap();
            }

            #[test]
            fn both_engines_are_heard() {
                let (mut quiet, stdin, stdout) = start("read word; echo $word");
                let mut own = Pipes::new(stdin, stdout).unwrap();
                let (mut loud, stdin, stdout) = start("yes | head -n 60000; echo end");
                let mut other = Pipes::new(stdin, stdout).unwrap();
                own.send("hello\n", soon()).unwrap();
                assert_eq!(text(own.listen(soon(), Some(&mut other)).unwrap()).as_deref(), Some("hello"));
                assert_eq!(own.listen(soon(), Some(&mut other)).unwrap(), Heard::Closed);
                let mut lines = 0;
                while let Some(line) = text(other.listen(soon(), None).unwrap()) {
                    lines += 1;
                    assert_eq!(line, if lines > 60_000 { "end" } else { "y" });
                }
                assert_eq!(lines, 60_001);
                quiet.wait().unwrap();
                loud.wait().unwrap();
            }

            /// More than a pipe holds, sent to an engine that answers all of it before it reads on.
            #[test]
            fn a_long_text_does_not_stop_both_sides() {
                let (mut child, stdin, stdout) = start("cat");
                let mut pipes = Pipes::new(stdin, stdout).unwrap();
                let long = "x".repeat(100).replace("xx", "x\n").repeat(40_000);
                pipes.send(&long, soon()).unwrap();
                pipes.close_input();
                let lines = std::iter::from_fn(|| text(pipes.listen(soon(), None).unwrap())).count();
                assert_eq!(lines, long.lines().count());
                child.wait().unwrap();
            }

            #[test]
            fn who_does_not_read_is_not_waited_for() {
                let (mut child, stdin, stdout) = start("sleep 60");
                let mut pipes = Pipes::new(stdin, stdout).unwrap();
                let error =
                    pipes.send(&"x".repeat(1 << 22), Instant::now() + Duration::from_millis(50)).unwrap_err();
                assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
                child.kill().unwrap();
                child.wait().unwrap();
            }
        }
    };
}

promises!(pipes_unix);
promises!(pipes_threads);
