//! The engine as a WebAssembly module. `packages/tsumugi-wasm/tsumugi.js` is its host.
//!
//! | export | what it does |
//! |---|---|
//! | `begin` | makes the session |
//! | `line_buffer`, `line` | a place for the next line, and its execution |
//! | `run` | lets the engine think; the host may suspend it at the import `pause_point` |
//! | `go_on` | executes lines that waited for the end of a search; whether there is anything to run |
//! | `output_start`, `output_length`, `clear_output` | what was said |
//! | `allocate` | memory for the host's own use |
//!
//! While `run` is suspended, only `line` and the output may be asked for.

mod catalogue;
mod kernel_test;
mod memory;
mod output;
mod shogi_engine;

use catalogue::Catalogue;
use std::cell::RefCell;
use std::time::Duration;
use usi::options::Folders;
use usi::{Output, Runner, SessionContext, SteppedConsole};

struct Session {
    console: SteppedConsole<Catalogue>,
    runner: Runner,
}

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since any moment.
        pub safe fn now() -> f64;
    }
}

fn with_console<T>(act: impl FnOnce(&mut SteppedConsole<Catalogue>) -> T) -> Option<T> {
    SESSION.with_borrow_mut(|session| session.as_mut().map(|session| act(&mut session.console)))
}

/// Makes the session. The first call counts.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    platform::clock::set_host_clock(|| Duration::from_secs_f64(host::now().max(0.0) / 1000.0));
    output::begin_to_tell_panics();
    SESSION.with_borrow_mut(|session| {
        if session.is_none() {
            // There are no files: none is found anywhere.
            let context = SessionContext::new(Output::new(output::Collected), Folders::new("/", "/"));
            let mut console = SteppedConsole::new(Catalogue::default(), context);
            // A tab has less memory than a computer; hosts may set another size.
            console.line(b"setoption name USI_Hash value 64");
            console.line(b"setoption name Threads value 1");
            let runner = console.runner();
            *session = Some(Session { console, runner });
        }
    });
}

/// Executes the line in the buffer: at once, or when the search that is under way has ended.
#[unsafe(no_mangle)]
pub extern "C" fn line(length: usize) {
    let line = memory::line(length);
    with_console(|console| console.line(&line));
}

/// Lets the engine think. Suspended by the host it is entered again: nothing may be borrowed here.
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    let runner = SESSION.with_borrow(|session| session.as_ref().map(|session| session.runner.clone()));
    if let Some(runner) = runner {
        runner.run();
    }
}

/// Executes lines that waited for the end of a search; whether there is anything to run.
#[unsafe(no_mangle)]
pub extern "C" fn go_on() -> bool {
    with_console(SteppedConsole::go_on).unwrap_or(false)
}

/// Whether `quit` was read.
#[unsafe(no_mangle)]
pub extern "C" fn is_over() -> bool {
    with_console(|console| console.is_over()).unwrap_or(true)
}
