//! Instruction sets, and detection of those of this processor.

use super::{Kernels, Sizes, plain};
use std::fmt;
use std::str::FromStr;

/// An instruction set for which the inner loops are written.
///
/// ```
/// use eval::nnue::Isa;
/// assert!(Isa::Plain.is_available());
/// assert!(Isa::available().any(|isa| isa == Isa::best()));
/// assert_eq!("avx2".parse(), Ok(Isa::Avx2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Isa {
    /// Plain Rust, for every processor.
    Plain,
    /// SSE4.1.
    Sse41,
    /// AVX2.
    Avx2,
    /// AVX2 with VNNI.
    AvxVnni,
    /// AVX-512 (F, BW, VL).
    Avx512,
    /// AVX-512 with VNNI.
    Avx512Vnni,
    /// NEON.
    Neon,
    /// WebAssembly's vectors.
    Simd128,
}

impl Isa {
    /// All of them, slower ones first.
    pub const ALL: [Self; 8] = [
        Self::Plain,
        Self::Simd128,
        Self::Neon,
        Self::Sse41,
        Self::Avx2,
        Self::Avx512,
        Self::AvxVnni,
        Self::Avx512Vnni,
    ];

    /// Whether this build on this processor can use it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => is_x86_feature_detected!("sse4.1"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::AvxVnni => Self::Avx2.is_available() && is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => Self::Avx512.is_available() && is_x86_feature_detected!("avx512vnni"),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => true,
            #[allow(unreachable_patterns, reason = "each architecture lacks the others' sets")]
            _ => false,
        }
    }

    /// The available ones, slower ones first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// The fastest available one.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Plain)
    }

    /// The kernels, or those of plain Rust if the processor lacks the set.
    pub(in super::super) fn kernels(self, sizes: Sizes) -> Kernels {
        if !self.is_available() {
            return plain::kernels(sizes);
        }
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Sse41 => super::sse41::kernels(sizes),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::avx2::kernels(sizes),
            #[cfg(target_arch = "x86_64")]
            Self::AvxVnni => super::avx_vnni::kernels(sizes),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => super::avx512::kernels(sizes),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => super::avx512_vnni::kernels(sizes),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => super::neon::kernels(sizes),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => super::simd128::kernels(sizes),
            _ => plain::kernels(sizes),
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::Sse41 => "sse4.1",
            Self::Avx2 => "avx2",
            Self::AvxVnni => "avxvnni",
            Self::Avx512 => "avx512",
            Self::Avx512Vnni => "avx512vnni",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        })
    }
}

/// A text that names no instruction set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not an instruction set; known are plain, sse4.1, avx2, avxvnni, avx512, avx512vnni, neon, simd128"
)]
pub struct ParseIsaError(String);

impl FromStr for Isa {
    type Err = ParseIsaError;

    fn from_str(text: &str) -> Result<Self, ParseIsaError> {
        let named = |isa: &Self| isa.to_string().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(named).ok_or_else(|| ParseIsaError(text.to_owned()))
    }
}
