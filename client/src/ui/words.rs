//! Facts of the game in the reader's words.

use tandem_core::protocol::Close;
use tandem_core::replica::CannotPlay;
use tandem_core::san::ParsePlyError;
use tandem_core::table::{End, PauseReason, PlayerId, Refusal};
use tandem_core::{BoardId, Color, EndRule, IllegalPly, Role, Seat};

use crate::board::hand::role_name;
use crate::store::{Hint, Note, Seating};
use crate::text::{self, Text};

/// What a person is called: the name, or a number for who gave none.
pub fn name_or_guest(name: &str, id: Option<PlayerId>) -> String {
    match id {
        _ if !name.is_empty() => name.to_owned(),
        Some(id) => text::person::guest(&id.0.to_string()),
        None => text::person::NOBODY().to_owned(),
    }
}

/// What somebody at the table is called.
pub fn person_name(seating: &Seating, id: PlayerId) -> String {
    name_or_guest(seating.name(id), Some(id))
}

/// What the computer on a seat is called: a name that no person would take it for, and that is the
/// same in every language.
pub fn bot_name(seat: Seat) -> &'static str {
    match seat {
        Seat::AWhite => "Astra",
        Seat::ABlack => "Bolt",
        Seat::BWhite => "Comet",
        Seat::BBlack => "Delta",
    }
}

/// A colour.
pub fn color(color: Color) -> Text {
    match color {
        Color::White => text::color::WHITE,
        Color::Black => text::color::BLACK,
    }
}

/// The letter of a board.
pub fn board(board: BoardId) -> &'static str {
    match board {
        BoardId::A => "A",
        BoardId::B => "B",
    }
}

/// A seat: its colour and its board.
pub fn seat(seat: Seat) -> String {
    match seat.color() {
        Color::White => text::color::white_on(board(seat.board())),
        Color::Black => text::color::black_on(board(seat.board())),
    }
}

/// A move in words, for those who listen: `N@f3+` as “knight dropped on f3, check”.
pub fn spoken(san: &str) -> String {
    use text::said as s;
    let body = san.trim_end_matches(['+', '#']);
    let end = match &san[body.len()..] {
        "" => None,
        "#" => Some(s::MATE),
        _ => Some(s::CHECK),
    };
    let (body, promotion) = match body.split_once('=') {
        Some((body, letter)) => (body, letter.chars().next().and_then(Role::from_letter)),
        None => (body, None),
    };
    let role = |letter: Option<char>| letter.and_then(Role::from_letter).unwrap_or(Role::Pawn);
    let mut said = if body == "O-O" {
        s::CASTLES_SHORT().to_owned()
    } else if body == "O-O-O" {
        s::CASTLES_LONG().to_owned()
    } else if let Some((letter, square)) = body.split_once('@') {
        s::drops(role_name(role(letter.chars().next()))(), square)
    } else {
        let first = body.chars().next().filter(char::is_ascii_uppercase);
        let piece = role_name(role(first))();
        let rest = &body[usize::from(first.is_some())..];
        let (from, square) = rest.split_at(rest.len().saturating_sub(2));
        // From where, if that has to be told.
        let piece = match from.trim_end_matches('x') {
            "" => piece.to_owned(),
            from => format!("{piece} {from}"),
        };
        if from.ends_with('x') {
            s::takes(&piece, square)
        } else {
            s::goes(&piece, square)
        }
    };
    let promoted = promotion.map(|role| s::promotes(role_name(role)()));
    for more in promoted
        .into_iter()
        .chain(end.map(|words| words().to_owned()))
    {
        said = said + ", " + &more;
    }
    said
}

/// Why a command was refused.
pub fn refusal(refusal: Refusal) -> &'static str {
    use text::refusal as r;
    let text: Text = match refusal {
        Refusal::Illegal(_) => r::ILLEGAL,
        Refusal::Stale => r::STALE,
        Refusal::NotYourTurn => r::NOT_YOUR_TURN,
        Refusal::TimeIsUp => r::TIME_IS_UP,
        Refusal::Paused(_) => r::PAUSED,
        Refusal::NoMatch => r::NO_MATCH,
        Refusal::MatchEnded => r::MATCH_ENDED,
        Refusal::NotYourSeat => r::NOT_YOUR_SEAT,
        Refusal::NotSeated => r::NOT_SEATED,
        Refusal::SeatTaken => r::SEAT_TAKEN,
        Refusal::NotHost => r::NOT_HOST,
        Refusal::NotInLobby => r::NOT_IN_LOBBY,
        Refusal::UnknownPlayer => r::UNKNOWN_PLAYER,
        Refusal::BadOptions => r::BAD_OPTIONS,
        Refusal::OfferTooSoon => r::OFFER_TOO_SOON,
        Refusal::NoOffer => r::NO_OFFER,
        Refusal::SeatsNotFull => r::SEATS_NOT_FULL,
        Refusal::NoTalk => r::NO_TALK,
        Refusal::NoFreeText => r::NO_FREE_TEXT,
        Refusal::NoPublicList => r::NO_PUBLIC_LIST,
        Refusal::TooMuchTalk => r::TOO_MUCH_TALK,
        Refusal::EmptyText => r::EMPTY_TEXT,
        Refusal::NoBotThere => r::NO_BOT,
        Refusal::BotsBusy => r::BOTS_BUSY,
    };
    text()
}

/// Why a ply was not even shown.
fn cannot_play(why: CannotPlay) -> String {
    use text::refusal as r;
    let text: Text = match why {
        CannotPlay::NotSeated => r::NOT_SEATED,
        CannotPlay::NoMatch => r::NO_MATCH,
        CannotPlay::Paused => r::PAUSED,
        CannotPlay::NotYourTurn => r::NOT_YOUR_TURN,
        CannotPlay::Decided => r::DECIDED,
        CannotPlay::Illegal(_) => r::ILLEGAL,
        CannotPlay::Link(_) => return text::note::LINK_FULL().to_owned(),
    };
    text::note::refused(text())
}

/// A note.
pub fn note(note: Note) -> String {
    match note {
        Note::TakenBack(None) => text::note::TAKEN_BACK().to_owned(),
        Note::TakenBack(Some(why)) => text::note::taken_back_why(refusal(why)),
        Note::Refused(why) => text::note::refused(refusal(why)),
        Note::CannotPlay(why) => cannot_play(why),
        Note::LinkFull => text::note::LINK_FULL().to_owned(),
        Note::DrawDeclined => text::note::DRAW_DECLINED().to_owned(),
        Note::BackToSeats => text::note::BACK_TO_SEATS().to_owned(),
        Note::Swapped => text::note::SWAPPED().to_owned(),
        Note::DrawLapsed => text::note::DRAW_LAPSED().to_owned(),
    }
}

/// A hint at the own board.
pub fn hint(hint: Hint) -> String {
    use text::hint as h;
    let text: Text = match hint {
        Hint::Illegal(why) | Hint::Unreadable(ParsePlyError::Illegal(why)) => match why {
            IllegalPly::LeavesKingInCheck => h::IN_CHECK,
            IllegalPly::MissingPromotion | IllegalPly::ImpossiblePromotion => h::PROMOTION,
            IllegalPly::CastlingLost
            | IllegalPly::CastlingBlocked
            | IllegalPly::CastlingThroughCheck => h::CASTLING,
            IllegalPly::NotInHand => h::NOT_IN_HAND,
            IllegalPly::SquareOccupied => h::OCCUPIED,
            IllegalPly::PawnOnBackRank => h::BACK_RANK,
            IllegalPly::DropGivesCheck => h::DROP_CHECK,
            IllegalPly::DropGivesMate => h::DROP_MATE,
            IllegalPly::EmptySquare
            | IllegalPly::NotYourPiece
            | IllegalPly::OwnPieceThere
            | IllegalPly::PieceCannotReach => h::CANNOT_GO,
        },
        Hint::Unreadable(ParsePlyError::Ambiguous) => h::AMBIGUOUS,
        Hint::Unreadable(ParsePlyError::NoSuchPiece | ParsePlyError::NothingToTake) => h::CANNOT_GO,
        Hint::Unreadable(ParsePlyError::Unreadable) => h::UNREADABLE,
        Hint::PremovesVoid => h::PREMOVES_VOID,
    };
    text().to_owned()
}

/// Why the relay sent us away, and what to make of it.
pub fn closed(close: Close) -> (Text, Text) {
    use text::net as n;
    match close {
        Close::UnknownTable => (n::CLOSED_UNKNOWN, n::CLOSED_UNKNOWN_HINT),
        Close::TableFull => (n::CLOSED_FULL, n::CLOSED_FULL_HINT),
        Close::OpenedElsewhere => (n::CLOSED_ELSEWHERE, n::CLOSED_ELSEWHERE_HINT),
        Close::Removed => (n::CLOSED_REMOVED, n::CLOSED_REMOVED_HINT),
        Close::Left => (n::CLOSED_LEFT, n::CLOSED_LEFT_HINT),
        Close::TableClosed => (n::CLOSED_TABLE, n::CLOSED_TABLE_HINT),
        Close::OtherVersion => (n::CLOSED_VERSION, n::CLOSED_VERSION_HINT),
        Close::AddressFull => (n::CLOSED_ADDRESS, n::CLOSED_ADDRESS_HINT),
        Close::TooManyGuesses => (n::CLOSED_GUESSES, n::CLOSED_GUESSES_HINT),
        Close::Blocked => (n::CLOSED_BLOCKED, n::CLOSED_BLOCKED_HINT),
        Close::TooMuch | Close::FrameTooLong => (n::CLOSED_TOO_MUCH, n::CLOSED_TOO_MUCH_HINT),
        Close::Restart
        | Close::BadFrame
        | Close::HelloExpected
        | Close::TooSlow
        | Close::Silent
        | Close::RelayFull
        | Close::CannotSave
        | Close::Replaced
        | Close::AddressTooMuch
        | Close::RelayBusy => (n::CLOSED_FAULT, n::CLOSED_FAULT_HINT),
    }
}

/// Why the relay does not let us in yet, where there is more to say than that the line is cut.
pub fn waiting(close: Close) -> Option<Text> {
    match close {
        Close::RelayFull => Some(text::net::WAIT_FULL),
        Close::CannotSave => Some(text::net::WAIT_SAVE),
        Close::TooSlow => Some(text::net::WAIT_SLOW),
        Close::AddressTooMuch => Some(text::net::WAIT_ADDRESS),
        Close::RelayBusy => Some(text::net::WAIT_BUSY),
        _ => None,
    }
}

/// Why play is paused.
pub fn pause(reason: PauseReason) -> Text {
    match reason {
        PauseReason::NobodyThere => text::game::PAUSED_NOBODY,
        PauseReason::RelayRestarted => text::game::PAUSED_RESTART,
        PauseReason::DiskFull => text::game::PAUSED_DISK,
    }
}

/// The rule by which a match ended, in a sentence. `name` tells who sits on a seat.
pub fn end(end: &End, name: impl Fn(Seat) -> String) -> String {
    let who = || end.seat.map(&name).unwrap_or_default();
    match end.rule {
        EndRule::Checkmate => {
            let winner = end.winner.zip(end.board).and_then(|(team, board)| {
                team.seats().into_iter().find(|seat| seat.board() == board)
            });
            let Some(winner) = winner else {
                return String::new();
            };
            text::end::checkmate(
                board(winner.board()),
                &name(winner.opponent()),
                &name(winner),
            )
        }
        EndRule::Time => text::end::time(end.board.map_or("", board), &who()),
        EndRule::Resignation => text::end::resignation(&who()),
        EndRule::Leaving => text::end::leaving(&who()),
        EndRule::Agreement => text::end::AGREEMENT().to_owned(),
        EndRule::Deadlock => text::end::DEADLOCK().to_owned(),
        EndRule::PlyLimit => text::end::PLY_LIMIT().to_owned(),
        EndRule::BothAtOnce => text::end::BOTH_AT_ONCE().to_owned(),
    }
}
