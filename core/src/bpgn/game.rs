//! The record of a match played at a table.

use super::{Record, RecordedResult};
use crate::bughouse::EndRule;
use crate::clock::Clocks;
use crate::seat::Seat;
use crate::table::{End, Game};

/// The tag with a player's name.
const fn name_tag(seat: Seat) -> &'static str {
    match seat {
        Seat::AWhite => "WhiteA",
        Seat::ABlack => "BlackA",
        Seat::BWhite => "WhiteB",
        Seat::BBlack => "BlackB",
    }
}

impl Record {
    /// Writes down a match played at a table, over or not: who played, with which options, each
    /// ply with its clock and lag, and how it ended. Where and when it was played, which the
    /// match itself does not know, can be added with [`Record::set_tag`].
    #[must_use]
    pub fn of_game(game: &Game) -> Record {
        let mut record = Record::of_table(game.options());
        for seat in Seat::ALL {
            let _ = record.set_tag(name_tag(seat), &player(game, seat));
        }
        let mut clocks = Clocks::new(game.options());
        let mut lag = Vec::new();
        for played in game.plies() {
            clocks.press(played.board, played.at, u32::from(played.credit));
            let seat = record.last().seat_to_move(played.board);
            let left = clocks.left(seat, played.at).max(0);
            let clock_ms = game
                .has_clocks()
                .then(|| u32::try_from(left).unwrap_or(u32::MAX));
            // A table plays legal plies only; should it not, the record ends before that one.
            if record.push(played.board, played.ply, clock_ms).is_err() {
                break;
            }
            lag.push(played.credit.to_string());
        }
        if game.has_clocks() && !lag.is_empty() {
            let _ = record.set_tag("Lag", &lag.join(" "));
        }
        if let Some(end) = game.end() {
            let _ = record.set_tag("Termination", end.rule.as_str());
            let result = RecordedResult::of_winner(end.winner);
            record.finish(result, Some(&sentence(game, end)));
        }
        record
    }
}

/// The name of a player, or a word for who has none.
fn player(game: &Game, seat: Seat) -> String {
    match (game.bots()[seat.index()], &game.names()[seat.index()]) {
        (Some(level), _) => format!("Computer (level {})", level.number()),
        (None, name) if name.is_empty() => seat.to_string(),
        (None, name) => name.clone(),
    }
}

/// How it ended, in the words of the chess servers where they have some.
fn sentence(game: &Game, end: &End) -> String {
    let who = end.seat.map_or_else(
        || match end.board {
            Some(board) => player(game, game.boards().seat_to_move(board)),
            None => String::new(),
        },
        |seat| player(game, seat),
    );
    match end.rule {
        EndRule::Checkmate => format!("{who} checkmated"),
        EndRule::Time => format!("{who} forfeits on time"),
        EndRule::Resignation => format!("{who} resigns"),
        EndRule::Leaving => format!("{who} leaves"),
        EndRule::Agreement => "Game drawn by mutual agreement".to_owned(),
        EndRule::Deadlock => "Game drawn because nobody can move".to_owned(),
        EndRule::PlyLimit => "Game drawn after 800 plies".to_owned(),
        EndRule::BothAtOnce => "Game drawn because both teams ran out of time".to_owned(),
    }
}
