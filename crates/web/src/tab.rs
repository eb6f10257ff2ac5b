//! A tab: one socket, and what waits to be sent on it.

use crate::protocol::{Event, Refusal, Reply};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

use crate::board::lock;

/// Names a tab.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TabId(u64);

/// A tab that has more bytes than this waiting is cut off.
const MOST_WAITING: usize = 4 << 20;

/// A message ready to be sent.
#[derive(Clone, Debug)]
pub struct Frame {
    text: Arc<str>,
    /// Of messages with the same key only the newest waits.
    key: Option<Arc<str>>,
}

impl Frame {
    /// An event; analyses, clocks and the like replace those before them.
    #[must_use]
    pub fn of(event: &Event) -> Self {
        let key = match event {
            Event::Analysis(analysis) => Some(format!("analysis {} {}", analysis.board, analysis.engine)),
            Event::Clock(clock) => Some(format!("clock {}", clock.board)),
            Event::Cursor(cursor) => Some(format!("cursor {}", cursor.board)),
            Event::Run(run) => Some(format!("run {}", run.entry.run)),
            Event::Tsume(tsume) if tsume.state == "searching" => Some(format!("tsume {}", tsume.board)),
            Event::GameAnalysis(progress) if !progress.finished => {
                Some(format!("game {} {}", progress.board, progress.engine))
            }
            Event::Mining(mining) if mining.state == "running" => Some(format!("mining {}", mining.book)),
            Event::Lists => Some("lists".to_owned()),
            _ => None,
        };
        Self { text: text_of(event), key: key.map(Into::into) }
    }

    /// An answer, which is JSON already.
    #[must_use]
    pub fn answer(id: u32, ok: &str) -> Self {
        Self { text: format!("{{\"id\":{id},\"ok\":{ok}}}").into(), key: None }
    }

    /// A refusal.
    #[must_use]
    pub fn refusal(id: u32, refusal: Refusal) -> Self {
        Self { text: text_of(&Reply { id, ok: None, error: Some(refusal) }), key: None }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn text_of<T: serde::Serialize>(message: &T) -> Arc<str> {
    // Messages are strings, numbers, lists and maps with texts for keys, which JSON always has.
    serde_json::to_string(message).unwrap_or_default().into()
}

#[derive(Default)]
struct Waiting {
    frames: VecDeque<Frame>,
    bytes: usize,
    /// Too much waited.
    cut: bool,
}

/// One socket.
pub struct Tab {
    /// Its name.
    pub id: TabId,
    waiting: Mutex<Waiting>,
    news: Notify,
}

impl Tab {
    /// A new tab.
    #[must_use]
    pub fn new() -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = TabId(NEXT.fetch_add(1, Ordering::Relaxed));
        Arc::new(Self { id, waiting: Mutex::default(), news: Notify::new() })
    }

    /// Puts a message in line.
    pub fn push(&self, frame: Frame) {
        let mut waiting = lock(&self.waiting);
        if waiting.cut {
            return;
        }
        let older = frame
            .key
            .as_ref()
            .and_then(|key| waiting.frames.iter().position(|other| other.key.as_ref() == Some(key)));
        if let Some(removed) = older.and_then(|place| waiting.frames.remove(place)) {
            waiting.bytes -= removed.text.len();
        }
        waiting.bytes += frame.text.len();
        waiting.frames.push_back(frame);
        // One message may be larger than the limit by itself.
        if waiting.bytes > MOST_WAITING && waiting.frames.len() > 1 {
            waiting.cut = true;
            waiting.frames.clear();
            waiting.bytes = 0;
        }
        drop(waiting);
        self.news.notify_one();
    }

    /// The next message; `Err` when the tab does not keep up.
    pub fn pop(&self) -> Result<Option<Frame>, ()> {
        let mut waiting = lock(&self.waiting);
        if waiting.cut {
            return Err(());
        }
        let frame = waiting.frames.pop_front();
        if let Some(frame) = &frame {
            waiting.bytes -= frame.text.len();
        }
        Ok(frame)
    }

    /// Waits for a message.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{ClockEvent, Clocks, Hello};

    #[test]
    fn only_the_newest_of_a_kind_waits() {
        let tab = Tab::new();
        for main in 0..5 {
            let clocks = Clocks { main: [main, 0], ..Clocks::default() };
            tab.push(Frame::of(&Event::Clock(ClockEvent { board: "a".into(), clocks })));
            tab.push(Frame::of(&Event::Hello(Hello { version: main.to_string() })));
        }
        let mut seen = Vec::new();
        while let Some(frame) = tab.pop().unwrap() {
            seen.push(frame.text().to_owned());
        }
        assert_eq!(seen.len(), 6);
        assert!(seen[4].contains("\"main\":[4,0]"), "{seen:?}");
    }

    #[test]
    fn a_tab_that_does_not_read_is_cut_off() {
        let tab = Tab::new();
        let event = Event::Hello(Hello { version: "x".repeat(1 << 20) });
        for _ in 0..5 {
            tab.push(Frame::of(&event));
        }
        assert!(tab.pop().is_err());
    }
}
