//! FEN and SAN.

use tandem_core::fen::{FenError, FenField};
use tandem_core::san::ParsePlyError;
use tandem_core::{BoardId, Color, IllegalPly, Ply, Position, Rules, Square};

use crate::random::Random;
use crate::rules::{ply, position};
use crate::sample::{all_rules, random_match, scattered};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn refused(fen: &str) -> FenError {
    Position::from_fen(fen, Rules::default()).expect_err(fen)
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

#[test]
fn fen_is_read_strictly() {
    let white = Color::White;
    for (fen, error) in [
        ("", FenError::FieldCount),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0", FenError::FieldCount),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1 x", FenError::FieldCount),
        ("4k3/8/8/8/8/8/4K3[] w - - 0 1", FenError::RankCount),
        ("4k3/8/8/8/8/8/8/8/4K3[] w - - 0 1", FenError::RankCount),
        ("4k3/8/8/8/8/8/8/4K3/QNp w - - 0 1", FenError::RankCount),
        (
            "4k2/8/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::RankLength { rank: 8 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K4[] w - - 0 1",
            FenError::RankLength { rank: 1 },
        ),
        (
            "4k3/8/8/8/8/pppppppp1/8/4K3[] w - - 0 1",
            FenError::RankLength { rank: 3 },
        ),
        (
            "4k3/8/8/8/ppppppppp/8/8/4K3[] w - - 0 1",
            FenError::RankLength { rank: 4 },
        ),
        (
            "4k3/44/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::UnexpectedInPlacement {
                found: '4',
                rank: 7,
            },
        ),
        (
            "4k3/9/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::UnexpectedInPlacement {
                found: '9',
                rank: 7,
            },
        ),
        (
            "4k3/8/8/8/8/8/é7/4K3[] w - - 0 1",
            FenError::UnexpectedInPlacement {
                found: 'é',
                rank: 2,
            },
        ),
        (
            "4k3/p~7/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::MisplacedTilde { rank: 7 },
        ),
        (
            "4k~3/8/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::MisplacedTilde { rank: 8 },
        ),
        (
            "4k3/~8/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::MisplacedTilde { rank: 7 },
        ),
        (
            "4k3/q~~7/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::MisplacedTilde { rank: 7 },
        ),
        (
            "4k3/8/8/8/8/8/8/8[] w - - 0 1",
            FenError::KingCount {
                color: white,
                count: 0,
            },
        ),
        (
            "4k3/8/8/8/8/8/8/K3K3[] w - - 0 1",
            FenError::KingCount {
                color: white,
                count: 2,
            },
        ),
        (
            "4k2P/8/8/8/8/8/8/4K3[] w - - 0 1",
            FenError::PawnOnBackRank {
                square: square("h8"),
            },
        ),
        (
            "4k3/8/8/8/8/8/8/p3K3[] w - - 0 1",
            FenError::PawnOnBackRank {
                square: square("a1"),
            },
        ),
        (
            "4k3/8/8/8/8/8/8/4K2r[] b - - 0 1",
            FenError::OpponentInCheck { color: white },
        ),
        (
            "8/8/8/8/8/8/4k3/4K3[] b - - 0 1",
            FenError::OpponentInCheck { color: white },
        ),
        ("4k3/8/8/8/8/8/8/4K3[ w - - 0 1", FenError::HandBrackets),
        ("4k3/8/8/8/8/8/8/4K3[]] w - - 0 1", FenError::HandBrackets),
        ("4k3/8/8/8/8/8/8/4K3[[] w - - 0 1", FenError::HandBrackets),
        ("4k3/8/8/8/8/8/8/4K3[]Q w - - 0 1", FenError::HandBrackets),
        (
            "4k3/8/8/8/8/8/8/4K3[Qk] w - - 0 1",
            FenError::UnexpectedInHand { found: 'k' },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[Q2] w - - 0 1",
            FenError::UnexpectedInHand { found: '2' },
        ),
        ("4k3/8/8/8/8/8/8/4K3[] W - - 0 1", FenError::Turn),
        ("4k3/8/8/8/8/8/8/4K2R[] w KK - 0 1", FenError::Castling),
        ("4k3/8/8/8/8/8/8/4K2R[] w H - 0 1", FenError::Castling),
        (
            "4k3/8/8/8/8/8/8/3K3R[] w K - 0 1",
            FenError::CastlingWithoutKing {
                color: white,
                square: square("e1"),
            },
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R[] w KQ - 0 1",
            FenError::CastlingWithoutRook {
                color: white,
                square: square("a1"),
            },
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R~[] w K - 0 1",
            FenError::CastlingWithoutRook {
                color: white,
                square: square("h1"),
            },
        ),
        ("4k3/8/8/8/8/8/8/4K3[] w - e9 0 1", FenError::EnPassant),
        (
            "4k3/8/8/3p4/8/8/8/4K3[] w - e6 0 1",
            FenError::ImpossibleEnPassant {
                square: square("e6"),
            },
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3[] w - e3 0 1",
            FenError::ImpossibleEnPassant {
                square: square("e3"),
            },
        ),
        (
            "4k3/4p3/8/4p3/8/8/8/4K3[] w - e6 0 1",
            FenError::ImpossibleEnPassant {
                square: square("e6"),
            },
        ),
        ("4k3/8/8/8/8/8/8/4K3[] w - - -1 1", FenError::HalfmoveClock),
        ("4k3/8/8/8/8/8/8/4K3[] w - - +1 1", FenError::HalfmoveClock),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 0", FenError::MoveNumber),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 65536", FenError::MoveNumber),
    ] {
        assert_eq!(refused(fen), error, "{fen}");
    }
    let crowd = "q".repeat(65);
    assert_eq!(
        refused(&format!("4k3/8/8/8/8/8/8/4K3[{crowd}] w - - 0 1")),
        FenError::HandTooFull {
            color: Color::Black
        }
    );
    let no_hand = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(no_hand.to_fen(), "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
}

#[test]
fn fen_is_read_leniently() {
    let lenient = |fen: &str| Position::from_fen_lenient(fen, Rules::default());
    let plain = position("4k3/8/8/8/8/8/8/4K2R[QNp] w - - 0 1");
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R/QNp",
        "4k3/8/8/8/8/8/8/4K2R/pNQ w",
        "4k3/8/8/8/8/8/8/4K2R[QNp]",
        "  4k3/8/8/8/8/8/8/4K2R [QNp] W - - 0 1 ",
        "4k3/44/11111111/8/8/8/8/4K2R[QNp]_w_-_-_0_1",
        "4k3/8/8/8/8/8/8/4K2R[QNp] w qQ - x y",
        "4k3~/8/8/8/8/8/8/4K2R[QNp] w - e6 0 0",
        "4k3/8/8/8/8/8/8/4K2R[QNp] w - e3",
    ] {
        assert_eq!(lenient(fen), Ok(plain), "{fen}");
    }
    let empty = position("4k3/8/8/8/8/8/8/4K2R[] b K - 3 9");
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R[-] B KK - 3 9",
        "4k3/8/8/8/8/8/8/4K2R b KQkq - 3 9",
        "4k3/8/8/8/8/8/8/4K2R/ b K - 3 9",
    ] {
        assert_eq!(lenient(fen), Ok(empty), "{fen}");
    }
    for (fen, error) in [
        ("", FenError::RankCount),
        ("4k3/8/8/8/8/8/4K3", FenError::RankCount),
        ("4k3/8/8/8/8/8/8/4K3/8[Q]", FenError::RankCount),
        ("4k3/45/8/8/8/8/8/4K3", FenError::RankLength { rank: 7 }),
        (
            "4k3/999999999999/8/8/8/8/8/4K3",
            FenError::RankLength { rank: 7 },
        ),
        ("4k3/8/8/8/8/8/8/4K3[", FenError::HandBrackets),
        (
            "4k3/8/8/8/8/8/8/4K3/Qk",
            FenError::UnexpectedInHand { found: 'k' },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3/Q/",
            FenError::UnexpectedInHand { found: '/' },
        ),
        ("4k3/8/8/8/8/8/8/4K3 white", FenError::Turn),
        ("4k3/8/8/8/8/8/8/4K3 w yes", FenError::Castling),
        ("4k3/8/8/8/8/8/8/4K3 w - e", FenError::EnPassant),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", FenError::FieldCount),
        (
            "4k2P/8/8/8/8/8/8/4K3",
            FenError::PawnOnBackRank {
                square: square("h8"),
            },
        ),
    ] {
        assert_eq!(lenient(fen), Err(error), "{fen}");
    }
    let mut random = Random::new(4);
    for rules in all_rules() {
        for _ in 0..100 {
            let position = scattered(&mut random, rules);
            assert_eq!(
                Position::from_fen_lenient(&position.to_fen(), rules),
                Ok(position)
            );
        }
    }
}

#[test]
fn a_fen_error_names_its_field() {
    let e3 = square("e3");
    let white = Color::White;
    for (error, field) in [
        (FenError::FieldCount, None),
        (
            FenError::RankLength { rank: 3 },
            Some((FenField::Placement, "placement")),
        ),
        (
            FenError::OpponentInCheck { color: white },
            Some((FenField::Placement, "placement")),
        ),
        (
            FenError::UnexpectedInHand { found: 'k' },
            Some((FenField::Hand, "hand")),
        ),
        (FenError::Turn, Some((FenField::Turn, "turn"))),
        (
            FenError::CastlingWithoutRook {
                color: white,
                square: e3,
            },
            Some((FenField::Castling, "castling")),
        ),
        (
            FenError::ImpossibleEnPassant { square: e3 },
            Some((FenField::EnPassant, "en passant square")),
        ),
        (
            FenError::HalfmoveClock,
            Some((FenField::HalfmoveClock, "half-move clock")),
        ),
        (
            FenError::MoveNumber,
            Some((FenField::MoveNumber, "move number")),
        ),
    ] {
        assert_eq!(error.field(), field.map(|(field, _)| field));
        let name = field.map_or("a FEN", |(_, name)| name);
        assert!(error.to_string().starts_with(name), "{error}");
    }
}

#[test]
fn mangled_fens_never_panic() {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let fen = scattered(&mut random, Rules::default()).to_fen();
        let mut text: Vec<char> = fen.chars().collect();
        for _ in 0..1 + random.below(4) {
            let place = random.below(text.len() as u32) as usize;
            let odd = ['~', '[', ']', '/', '0', '8', ' ', 'k', 'P', '|', 'ß', '-'];
            match random.below(3) {
                0 => text[place] = odd[random.below(odd.len() as u32) as usize],
                1 => text.insert(place, odd[random.below(odd.len() as u32) as usize]),
                _ => drop(text.remove(place)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(position) = Position::from_fen(&text, Rules::default()) {
            assert_eq!(
                Position::from_fen(&position.to_fen(), Rules::default()),
                Ok(position)
            );
            for ply in position.legal_plies() {
                let mut after = position;
                after.play(ply).unwrap();
                let _ = (after.status(), after.to_fen());
            }
        }
    }
}

#[test]
fn every_legal_ply_survives_its_san() {
    let check = |position: &Position| {
        let mut texts = std::collections::HashSet::new();
        for &ply in &position.legal_plies() {
            let san = position.san(ply);
            assert_eq!(
                position.parse_ply(&san),
                Ok(ply),
                "{} {san}",
                position.to_fen()
            );
            assert_eq!(position.parse_ply(&ply.to_string()), Ok(ply));
            assert!(texts.insert(san), "{} {ply}", position.to_fen());
        }
    };
    let mut random = Random::new(5);
    for (seed, rules) in (40..).zip(all_rules()) {
        for _ in 0..100 {
            check(&scattered(&mut random, rules));
        }
        let mut seen = 0;
        random_match(seed, rules, |game| {
            seen += 1;
            if seen % 10 == 0 {
                for board in BoardId::ALL {
                    check(game.position(board));
                }
            }
        });
    }
}

#[test]
fn san_tells_pieces_apart() {
    let board = position("4k3/8/8/1N3N2/8/8/8/R3K2R[] w KQ - 0 1");
    assert_eq!(board.san(ply("b5d4")), "Nbd4");
    assert_eq!(board.san(ply("a1d1")), "Rd1");
    assert_eq!(board.san(ply("e1g1")), "O-O");
    assert_eq!(board.san(ply("e1c1")), "O-O-O");
    let board = position("4k3/8/8/8/R7/8/8/R3K3[] w - - 0 1");
    assert_eq!(board.san(ply("a4a3")), "R4a3");
    let board = position("1k6/8/8/8/4Q2Q/8/8/K6Q[] w - - 0 1");
    assert_eq!(board.san(ply("h4e1")), "Qh4e1");
    // A pinned piece does not make the other one ambiguous.
    let board = position("4k3/4r3/8/8/8/4N3/8/4K1N1[] w - - 0 1");
    assert_eq!(board.san(ply("g1e2")), "Ne2");
    // A capture of a pawn names its file, and a double step may give a check that is no mate.
    let board = position("4k3/8/8/3p4/4P3/8/8/4K3[] w - - 0 1");
    assert_eq!(board.san(ply("e4d5")), "exd5");
    let board = position("3nk3/4P3/8/8/8/8/8/4K3[] w - - 0 1");
    assert_eq!(board.san(ply("e7d8n")), "exd8=N");
    assert_eq!(
        board.san(ply("e1e8")),
        "e1e8",
        "an illegal ply is written in UCI"
    );
}

#[test]
fn san_marks_mate_only_where_nothing_could_block() {
    let board = position("6k1/5ppp/8/8/8/8/8/R3K3[R] w - - 0 1");
    assert_eq!(board.san(ply("a1a8")), "Ra8+");
    let board = position("6rk/6pp/8/6N1/8/8/8/4K3[] w - - 0 1");
    assert_eq!(board.san(ply("g5f7")), "Nf7#");
}

#[test]
fn moves_are_read_in_many_hands() {
    let board = position("r3k3/1P6/8/8/8/8/8/R3K2R[PN] w KQ - 0 1");
    for (text, uci) in [
        ("O-O", "e1g1"),
        ("0-0-0", "e1c1"),
        ("bxa8=Q+", "b7a8q"),
        ("bxa8Q", "b7a8q"),
        ("bxa8(Q)+", "b7a8q"),
        ("bxa8/Q", "b7a8q"),
        ("ba8=N", "b7a8n"),
        ("b8=R+!", "b7b8r"),
        ("b7-b8=R", "b7b8r"),
        ("N@f3", "N@f3"),
        ("P@e4", "P@e4"),
        ("@e4", "P@e4"),
        ("n@f3", "N@f3"),
        ("Rh1f1", "h1f1"),
        ("Rh1-f1", "h1f1"),
        ("Rxa8+", "a1a8"),
        ("Ra8", "a1a8"),
    ] {
        assert_eq!(board.parse_ply(text), Ok(ply(uci)), "{text}");
    }
    let passing = position("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 1");
    for text in ["exd6", "exd6e.p.", "ed6", "e5d6", "exd6+"] {
        assert_eq!(passing.parse_ply(text), Ok(ply("e5d6")), "{text}");
    }
    for (text, error) in [
        ("", ParsePlyError::Unreadable),
        ("b8()", ParsePlyError::Unreadable),
        ("b8(QR)", ParsePlyError::Unreadable),
        ("(", ParsePlyError::Unreadable),
        ("x", ParsePlyError::Unreadable),
        ("Ng", ParsePlyError::Unreadable),
        ("N@", ParsePlyError::Unreadable),
        ("K@e4", ParsePlyError::Unreadable),
        ("NN@e4", ParsePlyError::Unreadable),
        ("Rh1xf1x", ParsePlyError::Unreadable),
        ("é4", ParsePlyError::Unreadable),
        ("e4é", ParsePlyError::Unreadable),
        ("=Q", ParsePlyError::Unreadable),
        ("++", ParsePlyError::Unreadable),
        ("Qd4", ParsePlyError::NoSuchPiece),
        ("e4", ParsePlyError::Illegal(IllegalPly::PieceCannotReach)),
        ("Rxh4", ParsePlyError::NothingToTake),
        ("b8", ParsePlyError::Illegal(IllegalPly::MissingPromotion)),
        ("Q@e4", ParsePlyError::Illegal(IllegalPly::NotInHand)),
        ("Kg1", ParsePlyError::Illegal(IllegalPly::PieceCannotReach)),
        ("e7e5", ParsePlyError::Illegal(IllegalPly::EmptySquare)),
    ] {
        assert_eq!(board.parse_ply(text), Err(error), "{text}");
    }
    let two = position("4k3/8/8/8/8/8/8/RK5R[] w - - 0 1");
    assert_eq!(two.parse_ply("Rg1"), Ok(ply("h1g1")));
    let both = position("4k3/K7/8/8/8/8/8/R6R[] w - - 0 1");
    assert_eq!(both.parse_ply("Rd1"), Err(ParsePlyError::Ambiguous));
}

#[test]
fn nonsense_in_bytes_is_an_error() {
    fn refused<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> bool {
        postcard::from_bytes::<T>(bytes).is_err()
    }
    assert!(refused::<Square>(&[64]));
    assert!(refused::<Color>(&[2]));
    assert!(refused::<tandem_core::Seat>(&[4]));
    // A king in the hand; a move that stays where it is; a sixteenth bit.
    for bits in [5 << 12 | 5 << 6, 0, 1 << 15 | 1] {
        assert!(refused::<Ply>(
            &postcard::to_allocvec::<u16>(&bits).unwrap()
        ));
    }
    let fen = ("4k3/8/8/8/8/8/8/8[] w - - 0 1", Rules::default());
    assert!(refused::<Position>(&postcard::to_allocvec(&fen).unwrap()));

    // A square is one byte and a ply is at most three.
    assert_eq!(postcard::to_allocvec(&square("h8")).unwrap(), [63]);
    for text in ["e2e4", "e7e8q", "N@f3"] {
        let bytes = postcard::to_allocvec(&ply(text)).unwrap();
        assert!(bytes.len() <= 3);
        assert_eq!(postcard::from_bytes(&bytes), Ok(ply(text)));
    }
}
