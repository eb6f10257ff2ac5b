//! scratch
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut p = shogi::Position::from_sfen(&a[2]).unwrap();
    let d: u32 = a[3].parse().unwrap();
    let t = std::time::Instant::now();
    let n = match a[1].as_str() {
        "list" => game::perft(&mut p, d),
        _ => game::perft_making_leaves(&mut p, d),
    };
    let s = t.elapsed().as_secs_f64();
    println!("{n} {s:.3}s {:.1} Mn/s", n as f64 / s / 1e6);
}
