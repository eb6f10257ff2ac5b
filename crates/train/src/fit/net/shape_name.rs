//! Short names of architectures, for command lines.

use eval::nnue::{
    Architecture, ArchitectureError, Features, HandBuckets, KingBuckets, KingZones, Model, Stacks,
};

/// Parses an architecture, either as in headers of files or as a short name.
///
/// A short name has features, the width of the first layer, both hidden layers, and words for layer stacks. `x2` after
/// the width means a classic network, otherwise it is an SFNN. Features are `mirrored` (pieces on squares, mirrored so
/// that the own king is on files 1 to 5), `zones9`, 45 digits with the zone of each of these squares of the king (and
/// `+lean`, see [`KingZones`]), or a common name such as `halfkp`.
///
/// ```
/// use eval::nnue::{Architecture, Features};
/// use train::fit::parse_shape;
/// assert_eq!(parse_shape("mirrored-256-15-32-k3k3")?, Architecture::stacked(Features::MIRRORED, 256, 15, 32));
/// assert_eq!(parse_shape("halfkp-256x2-32-32")?, Architecture::classic(Features::HalfKp, 256, 32, 32));
/// let long = Architecture::SFNN1536;
/// assert_eq!(parse_shape(&long.to_string())?, long);
/// assert!(parse_shape("mirrored-256").is_err());
/// # Ok::<(), eval::nnue::ArchitectureError>(())
/// ```
pub fn parse_shape(text: &str) -> Result<Architecture, ArchitectureError> {
    match short(text) {
        // Parsed again from the header's form, which applies the limits of files.
        Some(shape) => shape.to_string().parse(),
        None => text.parse(),
    }
}

fn short(text: &str) -> Option<Architecture> {
    let mut words = text.split('-');
    let features = features(words.next()?)?;
    let width = words.next()?;
    let (width, classic) = match width.strip_suffix("x2") {
        Some(width) => (width, true),
        None => (width, false),
    };
    let [width, hidden1, hidden2] =
        [width, words.next()?, words.next()?].map(|word| word.parse::<usize>().ok());
    let shape = Architecture::classic(features, width?, hidden1?, hidden2?);
    let mut stacks = Stacks { hands: HandBuckets::None, kings: KingBuckets::None, progress: 1, shards: None };
    for word in words {
        let word = word.to_ascii_uppercase();
        let kings = KingBuckets::WORDS.iter().find(|(_, known)| *known == word);
        let hands = HandBuckets::WORDS.iter().find(|(_, known)| *known == word);
        match (kings, hands) {
            (Some((kings, _)), _) if !classic => stacks.kings = *kings,
            (_, Some((hands, _))) if !classic => stacks.hands = *hands,
            _ => return None,
        }
    }
    Some(if classic { shape } else { Architecture { model: Model::Stacked(stacks), ..shape } })
}

fn features(word: &str) -> Option<Features> {
    let zones = |zones| Some(Features::HalfKaHm2Zones(zones));
    match word.to_ascii_lowercase().as_str() {
        "mirrored" => Some(Features::MIRRORED),
        "zones9" => zones(KingZones::NINE),
        word => match Features::ALL.into_iter().find(|features| features.word().eq_ignore_ascii_case(word)) {
            None => word.parse().ok().and_then(zones),
            known => known,
        },
    }
}
