//! Writing a sorted book on several threads: each renders a part of it, and the parts are written in order.

use crate::error::BookError;
use platform::workers::in_order;
use std::sync::{Mutex, PoisonError};

/// Renders all parts and passes the results to `take` in order; returns the parts. `render` may stop after some
/// positions, and tells whether there are more.
pub(crate) fn render_parts<S: Send, R: Default + Send>(
    mut parts: Vec<S>,
    threads: usize,
    render: impl Fn(&mut S, &mut R) -> Result<bool, BookError> + Sync,
    mut take: impl FnMut(R) -> Result<(), BookError> + Send,
) -> Result<Vec<S>, BookError> {
    if let [only] = &mut parts[..] {
        // It may be larger than memory.
        loop {
            let mut rendered = R::default();
            let more = render(only, &mut rendered)?;
            take(rendered)?;
            if !more {
                return Ok(parts);
            }
        }
    }
    let parts: Vec<Mutex<S>> = parts.into_iter().map(Mutex::new).collect();
    let work = |number: usize| {
        let mut part = parts[number].lock().unwrap_or_else(PoisonError::into_inner);
        let mut rendered = R::default();
        while render(&mut part, &mut rendered)? {}
        Ok(rendered)
    };
    in_order(parts.len(), threads, work, take)?;
    Ok(parts.into_iter().map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
}
