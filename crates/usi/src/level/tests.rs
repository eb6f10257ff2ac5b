use super::*;

#[test]
fn each_spelling_names_its_level() {
    for (names, step) in [
        (["15k", "15級", "1", "１５級"], 0),
        (["10k", "10級", "6", "10K"], 5),
        (["1k", "1級", "15", "１級"], 14),
        (["1d", "初段", "16", "1段"], 15),
        (["9d", "九段", "24", "9段"], 23),
    ] {
        for name in names {
            assert_eq!(Level::parse(name), Level::step(step), "{name}");
        }
    }
    for name in ["full", "最強", "FULL"] {
        assert_eq!(Rank::parse(name), Some(Rank::FULL), "{name}");
    }
    for name in ["", "0", "16k", "0k", "10d", "25", "段", "1 d", "-1", "二級"] {
        assert_eq!(Rank::parse(name), None, "{name}");
    }
    let all: Vec<_> = Rank::all().flat_map(Rank::spellings).filter(|name| name != "full").collect();
    let different: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len());
}

#[test]
fn skill_level_and_elo_are_places_on_the_ladder() {
    assert_eq!(Level::of_skill(0), Some(Level::WEAKEST));
    assert_eq!(Level::of_skill(20), None);
    assert_eq!(Level::of_skill(10), Level::step(12));
    let skills: Vec<_> = (0..20).map(|skill| Level::of_skill(skill).unwrap()).collect();
    assert!(skills.is_sorted() && skills[19] < Level::STRONGEST);
    for level in Level::all() {
        assert_eq!(Level::of_elo(level.elo()), level);
    }
    let (least, most) = Level::elo_range();
    assert_eq!(Level::of_elo(least - 500), Level::WEAKEST);
    assert_eq!(Level::of_elo(most + 500), Level::STRONGEST);
    let between: Vec<_> = (least..=most).map(Level::of_elo).collect();
    assert!(between.is_sorted());
    let worst = (least..=most).map(|elo| (Level::of_elo(elo).elo() - elo).abs()).max();
    assert!(worst <= Some(4), "{worst:?}");
}

#[test]
fn steps_of_the_ladder_are_150_to_250() {
    assert!(ELO.windows(2).all(|pair| (150..=250).contains(&(pair[1] - pair[0]))), "{ELO:?}");
}
