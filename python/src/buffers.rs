//! Packed positions in Python's buffers: arrays of numpy, bytearrays, memoryviews.

use crate::value_error;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int};

/// Bytes of a packed position.
pub const BYTES: usize = 32;

/// A contiguous view of an object's memory, of any shape: pyo3's own has none for arrays without dimensions, such as
/// `np.asarray(rows[0])`. It is released when it is dropped.
struct Memory<'py> {
    /// On the heap, for `PyBuffer_Release` may want it where `PyObject_GetBuffer` filled it in.
    view: Box<ffi::Py_buffer>,
    /// Proof that the interpreter's lock is held.
    _lock: Python<'py>,
}

impl<'py> Memory<'py> {
    /// The memory of an object if it is contiguous and holds a packed position.
    fn of(object: &Bound<'py, PyAny>, flags: c_int) -> PyResult<Self> {
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: the object is alive and the lock held, as `object` proves; `view` is ours to fill in.
        let status =
            unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, ffi::PyBUF_ND | flags) };
        if status != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        let memory = Self { view, _lock: object.py() };
        if memory.view.len < BYTES as isize || memory.view.buf.is_null() {
            return Err(value_error(format!(
                "a packed position needs {BYTES} bytes, found {}",
                memory.view.len
            )));
        }
        Ok(memory)
    }

    /// Where it begins; `BYTES` bytes are there.
    fn start(&self) -> *mut u8 {
        self.view.buf.cast()
    }

    /// Whether its items, in the words of Python's module `struct` and PEP 3118, are or hold pointers.
    fn holds_pointers(&self) -> bool {
        if self.view.format.is_null() {
            return false;
        }
        // SAFETY: a format that is not null is a C string that lives as long as the view.
        let format = unsafe { CStr::from_ptr(self.view.format) }.to_string_lossy();
        // Between colons stand names of fields.
        format.split(':').step_by(2).any(|codes| codes.contains(['O', 'P', 'z', 'Z', 'X', '&']))
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        // SAFETY: `PyObject_GetBuffer` has filled the view in, the lock is held, and it is released this once.
        unsafe { ffi::PyBuffer_Release(&raw mut *self.view) };
    }
}

/// Reads the packed position with which a buffer begins.
pub fn read(object: &Bound<'_, PyAny>) -> PyResult<[u8; BYTES]> {
    let memory = Memory::of(object, 0)?;
    let mut packed = [0; BYTES];
    // SAFETY: `Memory` holds at least BYTES contiguous bytes and lives on; `packed` is ours, so they do not overlap. Bytes have no
    // invalid values, and no other thread writes while the interpreter's lock is held.
    unsafe { std::ptr::copy_nonoverlapping(memory.start(), packed.as_mut_ptr(), BYTES) };
    Ok(packed)
}

/// Writes a packed position to the beginning of a buffer.
pub fn write(object: &Bound<'_, PyAny>, packed: &[u8; BYTES]) -> PyResult<()> {
    let memory = Memory::of(object, ffi::PyBUF_WRITABLE | ffi::PyBUF_FORMAT)?;
    if memory.holds_pointers() {
        return Err(value_error("a packed position cannot be written over references to objects"));
    }
    // SAFETY: as in `read`; the owner has agreed to writing, and as the items are no pointers, any bytes are values of them.
    unsafe { std::ptr::copy_nonoverlapping(packed.as_ptr(), memory.start(), BYTES) };
    Ok(())
}
