//! Points where a host without threads can take control.

/// During a long computation in an environment without threads (WebAssembly), the host may suspend it here, handle its
/// events and resume it. Called about every millisecond, without holding a lock. On other systems it does nothing.
#[inline(always)]
pub fn pause_point() {
    #[cfg(target_family = "wasm")]
    {
        #[link(wasm_import_module = "host")]
        unsafe extern "C" {
            fn pause_point();
        }
        // SAFETY: takes and returns nothing. A host that suspends the computation restores its stack before resuming
        // it.
        unsafe { pause_point() };
    }
}
