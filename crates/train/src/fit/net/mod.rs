//! Real-valued networks, their files and quantisation.

pub(in crate::fit) mod files;
pub(in crate::fit) mod float_file;
pub(in crate::fit) mod float_net;
pub(in crate::fit) mod growth;
pub(in crate::fit) mod quantise;
pub(in crate::fit) mod shape_name;
