//! Memory through which host and module speak.

use std::cell::RefCell;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a request of so many bytes; it stays where it is until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn request_buffer(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer_start() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// What the host has written.
pub fn request(length: usize) -> Vec<u8> {
    REQUEST.with_borrow_mut(|request| {
        let mut request = std::mem::take(request);
        request.truncate(length);
        request
    })
}

/// Keeps an answer until the next one.
pub fn answer(text: &[u8]) {
    ANSWER.with_borrow_mut(|answer| {
        answer.clear();
        answer.extend_from_slice(text);
    });
}
