//! Memory that the host writes to.

use std::cell::RefCell;

thread_local! {
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a line of so many bytes; it stays where it is until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn line_buffer(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| {
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// The line that the host has written.
pub fn line(length: usize) -> Vec<u8> {
    LINE.with_borrow(|line| line[..length.min(line.len())].to_vec())
}

/// Memory that belongs to the host from now on.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}
