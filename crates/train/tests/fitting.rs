//! Whole trainings, on positions whose scores are what their pieces are worth.

use eval::nnue::{Architecture, Features};
use shogi::{Color, GameResult, PackedSfen, PackedSfenValue, Position};
use std::path::Path;
use std::time::Duration;
use train::corpus::Corpus;
use train::fit::{Data, Experiment, FloatNet, News, Run, RunError, Samples, Settings, random_positions};
use train::tensors::Filter;

fn shape() -> Architecture {
    Architecture::stacked(Features::MIRRORED, 64, 15, 16)
}

/// What the pieces are worth for the side to move.
fn balance(position: &Position) -> i32 {
    if position.side() == Color::Black { position.material() } else { -position.material() }
}

fn corpus() -> Corpus {
    let record = |position: &Position| PackedSfenValue {
        position: PackedSfen::try_from(position).unwrap(),
        score: balance(position).clamp(-2000, 2000) as i16,
        move_bits: 0,
        ply: position.ply() as u16,
        result: if balance(position) > 0 { GameResult::Win } else { GameResult::Loss },
        padding: 0,
    };
    let records: Vec<_> = random_positions(12_000, 3).iter().map(record).collect();
    let games = (0..records.len()).step_by(120).collect();
    Corpus { records, games }
}

fn samples() -> (Samples, Samples) {
    let filter = Filter { score_limit: 2500, first_ply: 8, skip_checks: true, skip_noisy: true };
    Samples::split(&corpus(), &shape(), filter, 10).unwrap()
}

fn run<'a>(folder: &'a Path, training: &'a Samples, held_out: &'a Samples) -> Run<'a> {
    let settings = Settings { epochs: 6, batch: 512, learning_rate: 3e-3, ..Settings::new(&shape(), 600.0) };
    let data = Data {
        paths: vec!["nowhere".to_owned()],
        positions: training.len(),
        held_out: held_out.len(),
        one_game_in: 10,
        filter: String::new(),
        fingerprint: training.fingerprint(),
    };
    Run {
        folder,
        settings,
        data,
        training,
        held_out,
        net: FloatNet::random(&shape(), 1).unwrap(),
        from: "random".to_owned(),
        threads: 2,
        checkpoint_every: Duration::ZERO,
    }
}

#[test]
fn learns_what_pieces_are_worth() {
    let folder = tempfile::tempdir().unwrap();
    let (training, held_out) = samples();
    assert!(training.len() > 5000 && held_out.len() > 500, "{} {}", training.len(), held_out.len());
    let experiment = run(folder.path(), &training, &held_out).train(&mut |_| ()).unwrap();
    let validations: Vec<_> = experiment.history.iter().map(|entry| entry.validation.unwrap()).collect();
    let (first, last) = (validations[0], validations[validations.len() - 1]);
    assert_eq!(validations.len(), 6);
    assert!(last.loss < 0.8 * first.loss && last.accuracy > 0.75, "{first:?} {last:?}");
    let finish = experiment.finished.unwrap();
    let rounded = finish.rounded.unwrap();
    // The last batches have seen the quantised network.
    assert!((rounded.loss - last.loss).abs() < 1e-9, "{rounded:?} {last:?}");
    assert!(finish.cut.worst < 2.0, "{finish:?}");

    let net = FloatNet::load(&folder.path().join("net.float")).unwrap();
    let (network, mismatches) =
        eval::nnue::Network::load(&folder.path().join("nn.bin"), eval::nnue::Isa::best()).unwrap();
    assert!(mismatches.is_empty());
    let start = Position::startpos();
    assert_eq!(network.parameters().evaluate(&start), net.quantise().evaluate(&start));
    let json = std::fs::read_to_string(folder.path().join("experiment.json")).unwrap();
    assert_eq!(serde_json::from_str::<Experiment>(&json).unwrap(), experiment);
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("finished") && !page.contains("NaN"));
}

/// What is left after a kill is a checkpoint; going on from it comes to the same network.
#[test]
fn resumed_it_comes_to_the_same_network() {
    let (training, held_out) = samples();
    let whole = tempfile::tempdir().unwrap();
    let checkpoint = whole.path().join("checkpoint.bin");
    let broken = tempfile::tempdir().unwrap();
    let undisturbed = run(whole.path(), &training, &held_out)
        .train(&mut |news| {
            if let News::Batch(pace) = news
                && pace.steps[0] == 47
            {
                // A kill at this moment leaves the checkpoint of the batch before.
                std::fs::copy(&checkpoint, broken.path().join("checkpoint.bin")).unwrap();
            }
        })
        .unwrap();
    let mut resumed_at = 0;
    let resumed = run(broken.path(), &training, &held_out)
        .train(&mut |news| {
            if let News::Resumed { step } = news {
                resumed_at = step;
            }
        })
        .unwrap();
    assert_eq!(resumed_at, 46);
    assert_eq!(resumed, undisturbed);
    let net = |folder: &Path| std::fs::read(folder.join("net.float")).unwrap();
    assert!(net(whole.path()) == net(broken.path()));
    assert_eq!(std::fs::read_dir(broken.path()).unwrap().count(), 5, "nothing temporary is left");

    // Once more: it is finished already.
    let again = run(broken.path(), &training, &held_out).train(&mut |_| ()).unwrap();
    assert_eq!(again, undisturbed);

    let mut other = run(broken.path(), &training, &held_out);
    other.settings.seed = 9;
    let error = other.train(&mut |_| ()).unwrap_err();
    assert!(matches!(error, RunError::Other { .. }));
    assert!(error.to_string().contains("seed was 1, is 9"), "{error}");

    std::fs::write(broken.path().join("checkpoint.bin"), "{}").unwrap();
    let error = run(broken.path(), &training, &held_out).train(&mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("is no checkpoint"), "{error}");
}
