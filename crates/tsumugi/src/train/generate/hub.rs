//! `tsumugi train generate --hub`.

use super::GenerateArgs;
use crate::cluster::run_jobs;
use crate::terminal::print;
use ::cluster::bus::Bus;
use ::cluster::kinds::generate::{Generate, GenerateSettings};
use ::cluster::run::Hub;
use anyhow::bail;
use train::generate::Recipe;
use train::pack::PackWriter;

/// Lets the workers of a hub play the games of the series that are not there yet.
pub fn generate(args: &GenerateArgs, hub: &Hub, openings: &[String], recipe: Recipe) -> anyhow::Result<()> {
    let Some(games) = args.games else {
        bail!("--hub needs the number of games: give --games");
    };
    if args.seconds.is_some() {
        bail!(
            "--seconds: not over a hub, whose games depend on their numbers alone; leave out --seconds or --hub"
        );
    }
    let net = args.eval.for_hub(hub)?;
    let openings =
        if openings.is_empty() { None } else { Some(hub.bus.put_blob(openings.join("\n").as_bytes())?) };
    let end = args.first_game.saturating_add(games);
    let blob = net.blob();
    let settings = GenerateSettings { net, recipe, openings };
    let (mut writer, resumed) = PackWriter::open(&args.out, "games")?;
    let first = args.first_game.saturating_add(resumed.games).min(end);
    let generate = Generate { settings, games: first..end };
    let (mut games, mut positions) = (resumed.games, resumed.positions);
    run_jobs(hub, &generate, blob, "", |n, output| {
        for game in generate.read(n, output).map_err(anyhow::Error::msg)? {
            games += 1;
            positions += game.moves.len() as u64;
            writer.push(&game)?;
        }
        Ok(())
    })?;
    writer.finish()?;
    Ok(print(format_args!("{games} games, {positions} positions"))?)
}
