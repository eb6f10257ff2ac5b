//! One tab's socket: requests in, replies and events out.

use crate::app_state::AppState;
use crate::protocol::{Ask, Event, Hello, Refusal, RefusalCode};
use crate::tab::{Frame, Tab};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Requests a second that a tab may make; a moment may have twice as many.
const RATE: f64 = 200.0;
/// The close code for tabs that ask too much.
const POLICY: u16 = 1008;
/// The close code for tabs that read too slowly.
const OVERLOAD: u16 = 1013;
/// A message that is not taken for so long ends the tab.
const PATIENCE: Duration = Duration::from_secs(30);

/// Allows a number of requests a second.
struct Rate {
    left: f64,
    at: Instant,
}

impl Rate {
    fn allows(&mut self) -> bool {
        let now = Instant::now();
        let more = now.duration_since(self.at).as_secs_f64() * RATE;
        self.left = (self.left + more).min(2.0 * RATE);
        self.at = now;
        self.left -= 1.0;
        self.left >= 0.0
    }
}

/// Serves a tab until it goes.
pub async fn serve(mut socket: WebSocket, app: Arc<AppState>) {
    let tab = Tab::new();
    app.enter(&tab);
    tab.push(Frame::of(&Event::Hello(Hello { version: app.version().to_owned() })));
    if let Some((code, reason)) = talk(&mut socket, &app, &tab).await {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = tokio::time::timeout(Duration::from_millis(200), socket.send(close)).await;
    }
    app.leave(&tab);
}

/// Why the tab is closed by us.
type Closed = Option<(u16, &'static str)>;

async fn talk(socket: &mut WebSocket, app: &Arc<AppState>, tab: &Arc<Tab>) -> Closed {
    let mut rate = Rate { left: RATE, at: Instant::now() };
    loop {
        tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return None };
                let text = match message {
                    Message::Text(text) => text,
                    Message::Close(_) => return None,
                    Message::Binary(_) => return Some((POLICY, "text only")),
                    Message::Ping(_) | Message::Pong(_) => continue,
                };
                if !rate.allows() {
                    return Some((POLICY, "too many requests"));
                }
                hear(&text, app, tab).await;
            }
            () = tab.news() => {}
        }
        loop {
            match tab.pop() {
                Err(()) => return Some((OVERLOAD, "the tab does not keep up")),
                Ok(None) => break,
                Ok(Some(frame)) => {
                    let sending = socket.send(Message::Text(frame.text().into()));
                    match tokio::time::timeout(PATIENCE, sending).await {
                        Ok(Ok(())) => {}
                        _ => return None,
                    }
                }
            }
        }
    }
}

/// Reads and answers one request.
async fn hear(text: &str, app: &Arc<AppState>, tab: &Arc<Tab>) {
    let ask: Ask = match serde_json::from_str(text) {
        Ok(ask) => ask,
        Err(error) => {
            let id = serde_json::from_str::<OnlyId>(text).map_or(0, |only| only.id);
            let refusal =
                Refusal::new(RefusalCode::Message, format!("not a message of the protocol: {error}"));
            tab.push(Frame::refusal(id, refusal));
            return;
        }
    };
    let (app, tab) = (app.clone(), tab.clone());
    if crate::dispatch::is_long(&ask.verb) {
        if !app.begin_long(tab.id) {
            let refusal = Refusal::new(RefusalCode::TooMuch, "64 requests are open: wait for an answer");
            tab.push(Frame::refusal(ask.id, refusal));
            return;
        }
        tokio::task::spawn_blocking(move || {
            let id = tab.id;
            answer(&app, &tab, ask);
            app.end_long(id);
        });
    } else {
        // A panic in an answer must not take the socket along.
        let _ = tokio::task::spawn_blocking(move || answer(&app, &tab, ask)).await;
    }
}

/// The number of a request that says nothing else that we know.
#[derive(serde::Deserialize)]
struct OnlyId {
    id: u32,
}

fn answer(app: &Arc<AppState>, tab: &Arc<Tab>, ask: Ask) {
    let id = ask.id;
    tab.push(match crate::dispatch::answer(app, tab, ask.verb) {
        Ok(ok) => Frame::answer(id, &ok),
        Err(refusal) => Frame::refusal(id, refusal),
    });
}
