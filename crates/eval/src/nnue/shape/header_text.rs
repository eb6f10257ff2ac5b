//! Architectures as text of file headers.

use crate::nnue::shape::architecture::MOST_NEURONS;
use crate::nnue::{
    Architecture, ArchitectureError, Features, HandBuckets, KingBuckets, Model, Shards, Stacks,
};
use std::fmt;
use std::str::FromStr;

const STACKED_PREFIX: &str = "ModelType=SFNNWithoutPsqt;";
const SFNN1536: &str = "SFNN-1536";

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { features, width, hidden1, hidden2, model } = self;
        if let Model::Stacked(_) = model {
            f.write_str(STACKED_PREFIX)?;
        }
        write!(f, "Features={}[{}->{width}x2],Network=", features.name(), features.dimensions())?;
        match model {
            Model::Classic => {
                let inputs = 2 * width;
                write!(f, "AffineTransform[1<-{hidden2}](ClippedReLU[{hidden2}](")?;
                write!(f, "AffineTransform[{hidden2}<-{hidden1}](ClippedReLU[{hidden1}](")?;
                write!(f, "AffineTransform[{hidden1}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))")
            }
            Model::Stacked(_) if *self == Self::SFNN1536 => write!(f, "{SFNN1536}{{LayerStack=9}}"),
            Model::Stacked(stacks) => {
                write!(f, "SFNN_{}_{width}_{hidden1}_{hidden2}{stacks}", features.word())?;
                write!(f, "{{LayerStack={}}}", self.stack_count())
            }
        }
    }
}

/// `_C1024_S256X8_HAND64_K3K3_PROGRESS8`, as far as the parts are present.
impl fmt::Display for Stacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Shards { common, shard, groups }) = self.shards {
            write!(f, "_C{common}_S{shard}X{groups}")?;
        }
        let hands = HandBuckets::WORDS.iter().find(|(hands, _)| *hands == self.hands);
        let kings = KingBuckets::WORDS.iter().find(|(kings, _)| *kings == self.kings);
        for word in hands.map(|(_, word)| word).into_iter().chain(kings.map(|(_, word)| word)) {
            write!(f, "_{word}")?;
        }
        if self.progress > 1 {
            write!(f, "_PROGRESS{}", self.progress)?;
        }
        Ok(())
    }
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Self, ArchitectureError> {
        let unclear = || ArchitectureError::Unclear(beginning(text));
        let (stacked, rest) = match text.strip_prefix(STACKED_PREFIX) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (transformer, network) = rest
            .strip_prefix("Features=")
            .and_then(|rest| rest.split_once(",Network="))
            .ok_or_else(unclear)?;
        let (name, sizes) =
            transformer.strip_suffix("x2]").and_then(|rest| rest.split_once('[')).ok_or_else(unclear)?;
        let (dimensions, width) = sizes.split_once("->").ok_or_else(unclear)?;
        let dimensions = number(dimensions).ok_or_else(unclear)?;
        let features = features(name, dimensions)?;
        let width = number(width).ok_or_else(unclear)?;
        let shape = if stacked {
            let (network, count) = network
                .strip_suffix('}')
                .and_then(|rest| rest.split_once("{LayerStack="))
                .ok_or_else(unclear)?;
            let shape = stacked_shape(features, width, network).ok_or_else(unclear)?;
            let count = number(count).ok_or_else(unclear)?;
            if shape.stack_count() != count {
                return Err(ArchitectureError::Stacks { expected: shape.stack_count(), found: count });
            }
            shape
        } else {
            classic_shape(features, width, network).ok_or_else(unclear)?
        };
        let sizes = [shape.width, shape.hidden1, shape.hidden2];
        if sizes.iter().any(|size| !(1..=MOST_NEURONS).contains(size)) || shape.stack_count() > 1 << 20 {
            return Err(ArchitectureError::Size(beginning(text)));
        }
        if stacked && (shape.width % 2 != 0 || !matches!(shape.hidden1 % 8, 0 | 7)) {
            return Err(ArchitectureError::Size(beginning(text)));
        }
        Ok(shape)
    }
}

/// Finds features by name if it contains zones, else by their number: names differ between programs.
fn features(name: &str, dimensions: usize) -> Result<Features, ArchitectureError> {
    let unknown = || ArchitectureError::UnknownFeatures { name: beginning(name), dimensions };
    let Some(features) = Features::zones_of_name(name) else {
        return Features::from_dimensions(dimensions).ok_or_else(unknown);
    };
    Some(features?).filter(|features| features.dimensions() == dimensions).ok_or_else(unknown)
}

/// The beginning of a header for messages; a header may be of any length.
fn beginning(text: &str) -> String {
    text.chars().take(200).collect()
}

fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Layers as `…[outputs<-inputs](…)`, the last first.
fn classic_shape(features: Features, width: usize, network: &str) -> Option<Architecture> {
    let layers: Vec<(usize, usize)> = network
        .split('[')
        .filter_map(|part| part.split_once(']')?.0.split_once("<-"))
        .map(|(outputs, inputs)| Some((number(outputs)?, number(inputs)?)))
        .collect::<Option<_>>()?;
    match layers[..] {
        [(1, a), (hidden2, b), (hidden1, inputs)]
            if a == hidden2 && b == hidden1 && Some(inputs) == width.checked_mul(2) =>
        {
            Some(Architecture::classic(features, width, hidden1, hidden2))
        }
        _ => None,
    }
}

/// `SFNN-1536` or `SFNN_FEATURES_WIDTH_HIDDEN1_HIDDEN2` with stacks.
fn stacked_shape(features: Features, width: usize, network: &str) -> Option<Architecture> {
    if network == SFNN1536 {
        return Some(Architecture::SFNN1536)
            .filter(|shape| shape.features == features && shape.width == width);
    }
    let upper = network.to_ascii_uppercase();
    let mut words = upper.split(['_', '-']).filter(|word| !word.is_empty()).peekable();
    if !words.next()?.starts_with("SFNN")
        || words.next()? != features.word()
        || number(words.next()?)? != width
    {
        return None;
    }
    let (hidden1, hidden2) = (number(words.next()?)?, number(words.next()?)?);
    let mut stacks = Stacks { hands: HandBuckets::None, kings: KingBuckets::None, progress: 1, shards: None };
    if let Some(common) = words.next_if(|word| word.starts_with('C')) {
        let (shard, groups) = words.next()?.strip_prefix('S')?.split_once('X')?;
        let shards = Shards { common: number(&common[1..])?, shard: number(shard)?, groups: number(groups)? };
        let covered = shards.shard.checked_mul(shards.groups)?.checked_add(shards.common)?;
        if covered != width || shards.groups < 2 || shards.shard == 0 {
            return None;
        }
        stacks.shards = Some(shards);
    }
    for word in words {
        let hands = HandBuckets::WORDS.iter().find(|(_, known)| *known == word);
        let kings = KingBuckets::WORDS.iter().find(|(_, known)| *known == word);
        match (hands, kings, word.strip_prefix("PROGRESS").and_then(number)) {
            (Some((hands, _)), _, _) if stacks.hands == HandBuckets::None => stacks.hands = *hands,
            (_, Some((kings, _)), _) if stacks.kings == KingBuckets::None => stacks.kings = *kings,
            (_, _, Some(count @ 2..=256)) if stacks.progress == 1 => stacks.progress = count,
            _ => return None,
        }
    }
    let shape = Architecture { features, width, hidden1, hidden2, model: Model::Stacked(stacks) };
    let divisible = |shards: &Shards| shape.layers()[0].1.is_multiple_of(shards.groups);
    stacks.shards.as_ref().is_none_or(divisible).then_some(shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::KingZones;

    #[test]
    fn headers_round_trip() {
        let stacks = |hands, kings, progress, shards| {
            let model = Model::Stacked(Stacks { hands, kings, progress, shards });
            Architecture { features: Features::HalfKa2, width: 1024, hidden1: 7, hidden2: 64, model }
        };
        let shards = Shards { common: 512, shard: 64, groups: 8 };
        for shape in [
            Architecture::classic(Features::HalfKaHm1, 1024, 8, 64),
            Architecture::SFNN1536,
            Architecture::stacked(Features::Kp, 64, 8, 16),
            Architecture::stacked(Features::MIRRORED, 512, 15, 32),
            Architecture::classic(Features::HalfKaHm2Zones(KingZones::NINE), 128, 8, 32),
            stacks(HandBuckets::None, KingBuckets::None, 1, None),
            stacks(HandBuckets::Hand64Z, KingBuckets::K13K13Z, 4, None),
            stacks(HandBuckets::None, KingBuckets::K9K9, 32, Some(shards)),
        ] {
            assert_eq!(shape.to_string().parse(), Ok(shape));
        }
    }

    #[test]
    fn zones_stand_in_the_header() {
        let text = |name: &str, dimensions: usize| {
            format!(
                "ModelType=SFNNWithoutPsqt;Features={name}[{dimensions}->512x2],\
                 Network=SFNN_HALFKAHM2ZONES_512_15_32_K3K3{{LayerStack=9}}"
            )
        };
        let one = format!("HalfKA_hm2_zones({}+lean)", "0".repeat(45));
        assert_eq!(Architecture::stacked(Features::MIRRORED, 512, 15, 32).to_string(), text(&one, 1629));
        let refused =
            |name: &str, dimensions| text(name, dimensions).parse::<Architecture>().unwrap_err().to_string();
        // Neither another set's number nor an unknown name is accepted.
        assert_eq!(refused(&one, 73_305), format!("unknown features {one} with 73305 inputs"));
        assert_eq!(
            refused("HalfKA_hm2(Friend)", 1629),
            "unknown features HalfKA_hm2(Friend) with 1629 inputs"
        );
        let short = refused("HalfKA_hm2_zones(0101)", 3258);
        assert!(short.starts_with("zones of the own king: 45 zones were expected"), "{short}");
    }

    #[test]
    fn sparse_layers_have_another_name_but_the_same_shape() {
        let text = "Features=HalfKP(Friend)[125388->512x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
            AffineTransform[32<-16](ClippedReLU[16](AffineTransformSparseInput[16<-1024](\
            InputSlice[1024(0:1024)])))))";
        assert_eq!(text.parse(), Ok(Architecture::classic(Features::HalfKp, 512, 16, 32)));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "Features=",
            "Features=K+P[1710->256x2],Network=",
            "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](AffineTransform[31<-8](A[8<-512]",
            "Features=K+P[1710->99999999999999999999x2],Network=A[1<-32]B[32<-8]C[8<-512]",
            "Features=K+P[1710->18446744073709551615x2],Network=A[1<-32]B[32<-8]C[8<-512]",
            "Features=K+P[1710->65536x2],Network=A[1<-32]B[32<-8]C[8<-131072]",
            "Features=Z[1711->256x2],Network=A[1<-32]B[32<-8]C[8<-512]",
            "ModelType=SFNNWithoutPsqt;Features=K+P[1710->256x2],Network=SFNN-1536{LayerStack=9}",
            "ModelType=SFNNWithoutPsqt;Features=K+P[1710->256x2],Network=SFNN_KP_256_9_8{LayerStack=1}",
            "ModelType=SFNNWithoutPsqt;Features=K+P[1710->256x2],Network=SFNN_KP_256_7_8_K3K3{LayerStack=8}",
            "ModelType=SFNNWithoutPsqt;Features=K+P[1710->256x2],Network=SFNN_KP_256_7_8_C_{LayerStack=1}",
        ] {
            assert!(text.parse::<Architecture>().is_err(), "{text}");
        }
    }
}
