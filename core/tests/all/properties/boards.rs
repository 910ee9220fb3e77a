//! One board: text forms, and mate as it is defined.

use proptest::prelude::*;
use tandem_core::{Drops, Ply, Position, Role, Rules, Status};

use super::{all_squares, cases, positions, waiting};
use crate::slow::Slow;

/// E1 by trying out: in check, no move answers it, and neither does a drop of any piece on any
/// square, whatever the table allows.
fn is_mate_by_trying(position: &Position) -> bool {
    let us = position.turn();
    let answers = |candidate: &Position, wanted: &dyn Fn(Ply) -> bool| {
        candidate.legal_plies().iter().any(|&ply| wanted(ply))
    };
    let mut free = Position::from_fen(&position.to_fen(), any_drops(position.rules())).unwrap();
    if !position.is_check() || answers(&free, &|ply| !ply.is_drop()) {
        return false;
    }
    Role::HAND.into_iter().all(|role| {
        free.receive(tandem_core::Piece::new(us, role));
        all_squares().all(|to| !free.is_legal(Ply::Drop { role, to }))
    })
}

fn any_drops(rules: Rules) -> Rules {
    Rules {
        drops: Drops::Any,
        ..rules
    }
}

fn any_position() -> impl Strategy<Value = Position> {
    prop_oneof![3 => positions(24), 2 => positions(8), 1 => waiting()]
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn a_position_survives_its_texts_and_bytes(position in any_position()) {
        let fen = position.to_fen();
        prop_assert_eq!(Position::from_fen(&fen, position.rules()), Ok(position));
        prop_assert_eq!(Position::from_fen_lenient(&fen, position.rules()), Ok(position));
        let bytes = postcard::to_allocvec(&position).unwrap();
        prop_assert_eq!(postcard::from_bytes::<Position>(&bytes), Ok(position));
    }

    #[test]
    fn a_ply_survives_its_texts_and_bytes(position in any_position()) {
        let mut seen = std::collections::BTreeSet::new();
        for &ply in &*position.legal_plies() {
            let san = position.san(ply);
            prop_assert_eq!(position.parse_ply(&san), Ok(ply), "{}", san);
            prop_assert_eq!(position.parse_ply(&ply.to_string()), Ok(ply));
            prop_assert_eq!(ply.to_string().parse(), Ok(ply));
            let bytes = postcard::to_allocvec(&ply).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Ply>(&bytes), Ok(ply));
            prop_assert!(seen.insert(san), "two plies with one SAN");
        }
    }

    #[test]
    fn mate_is_what_trying_everything_finds(position in any_position()) {
        let slow = Slow::new(&position);
        prop_assert_eq!(position.is_checkmate(), is_mate_by_trying(&position));
        prop_assert_eq!(position.is_checkmate(), slow.is_mate(position.turn()));
        prop_assert_eq!(position.status() == Status::Checkmate, position.is_checkmate());
    }

    #[test]
    fn legal_is_what_the_slow_rules_find(position in any_position()) {
        let mut fast = position.legal_plies().to_vec();
        fast.sort();
        prop_assert_eq!(&fast, &Slow::new(&position).legal());
        prop_assert_eq!(fast.len() as u32, position.count_legal_plies());
        prop_assert_eq!(!fast.is_empty(), position.has_legal_ply());
        prop_assert!(fast.iter().all(|&ply| position.is_legal(ply)));
    }
}

/// Mates by chance are few, so some are made sure of: a lone king in a corner among queens.
#[test]
fn the_positions_tried_include_mates_and_waiting() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut mates, mut waits, mut blockable) = (0, 0, 0);
    for _ in 0..2_000 {
        let position = any_position().new_tree(&mut runner).unwrap().current();
        match position.status() {
            Status::Checkmate => mates += 1,
            Status::Waiting if position.is_check() => blockable += 1,
            Status::Waiting => waits += 1,
            Status::Move | Status::Check => {}
        }
    }
    assert!(
        mates > 20 && waits > 20 && blockable > 20,
        "{mates} {waits} {blockable}"
    );
}
