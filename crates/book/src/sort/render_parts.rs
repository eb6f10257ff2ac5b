//! Writes a sorted book on several threads: each renders a part, and the parts are written in order.

use crate::error::BookError;
use platform::workers::Workers;
use std::sync::atomic::AtomicBool;

/// Limit, per thread, of parts that wait for an earlier one.
const AHEAD: usize = 6;

/// Renders all parts and passes the results to `take` in order; returns the parts. `render` may stop early; it returns
/// whether there is more.
pub(crate) fn render_parts<S: Send, R: Default + Send>(
    mut parts: Vec<S>,
    threads: usize,
    render: impl Fn(&mut S, &mut R) -> Result<bool, BookError> + Sync,
    mut take: impl FnMut(R) -> Result<(), BookError>,
) -> Result<Vec<S>, BookError> {
    if let [only] = &mut parts[..] {
        // A part may be larger than memory.
        loop {
            let mut rendered = R::default();
            let more = render(only, &mut rendered)?;
            take(rendered)?;
            if !more {
                return Ok(parts);
            }
        }
    }
    let abandon = AtomicBool::new(false);
    let workers = Workers { ahead: AHEAD, ..Workers::new("render", threads, &abandon) };
    let worker = || {
        Some(|mut part: S| {
            let mut rendered = R::default();
            let done = loop {
                match render(&mut part, &mut rendered) {
                    Ok(true) => {}
                    Ok(false) => break Ok(rendered),
                    Err(error) => break Err(error),
                }
            };
            Some((part, done))
        })
    };
    let mut done = Vec::with_capacity(parts.len());
    workers.work_in_order(
        parts.into_iter(),
        worker,
        || (),
        |(part, rendered)| {
            done.push(part);
            take(rendered?)
        },
    )?;
    Ok(done)
}
