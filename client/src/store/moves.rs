//! The list of plies of both boards in the order they were played, in words.

use tandem_core::clock::Clocks;
use tandem_core::table::{Game, MatchNo};
use tandem_core::{Color, Match, Seat};

/// One ply in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLine {
    /// Its place among all plies of the match, from 0.
    pub index: usize,
    /// Whose it was.
    pub seat: Seat,
    /// The number of the move on its board, `12.` or `12…`.
    pub number: String,
    /// The ply in algebraic notation.
    pub san: String,
    /// What the mover's clock showed afterwards, in milliseconds.
    pub left_ms: u64,
}

/// Follows a match and puts its plies into words, each once.
pub struct MoveList {
    no: MatchNo,
    boards: Match,
    clocks: Clocks,
    done: usize,
}

impl MoveList {
    /// A list for a match, still empty.
    pub fn new(game: &Game) -> Self {
        Self {
            no: game.no(),
            boards: Match::new(game.options().rules),
            clocks: Clocks::new(game.options()),
            done: 0,
        }
    }

    /// Whether this list is about that match, as far as it has come.
    pub fn follows(&self, game: &Game) -> bool {
        self.no == game.no() && self.done <= game.plies().len()
    }

    /// How many plies have been put into words.
    pub fn len(&self) -> usize {
        self.done
    }

    /// The plies that have been played since the last call.
    pub fn take_new(&mut self, game: &Game) -> Vec<MoveLine> {
        let mut lines = Vec::new();
        for record in game.plies().iter().skip(self.done) {
            let position = self.boards.position(record.board);
            let seat = Seat::new(record.board, position.turn());
            let san = position.san(record.ply);
            let number = number(self.boards.plies(record.board), seat.color());
            if self.boards.play(record.board, record.ply).is_err() {
                // The match has been checked by the replica, so this does not happen.
                break;
            }
            self.clocks
                .press(record.board, record.at, u32::from(record.credit));
            let left_ms = u64::try_from(self.clocks.left(seat, record.at)).unwrap_or(0);
            lines.push(MoveLine {
                index: self.done,
                seat,
                number,
                san,
                left_ms,
            });
            self.done += 1;
        }
        lines
    }
}

fn number(plies: u16, color: Color) -> String {
    let dots = if color == Color::White { "." } else { "…" };
    format!("{}{dots}", plies / 2 + 1)
}

#[cfg(test)]
mod tests {
    use tandem_core::table::{Command, Phase, Table};
    use tandem_core::{BoardId, Ply};

    use super::*;

    /// A table in a match that has just begun, and the time.
    fn playing() -> (Table, u64) {
        let mut table = Table::new();
        for seat in Seat::ALL {
            let player = table.join(0, "").expect("there is room");
            let ready = [Command::Sit(seat), Command::SetReady(true)];
            for command in ready {
                table.handle(0, player, command).expect("that is allowed");
            }
        }
        let Phase::Countdown { starts_at } = table.state().phase() else {
            panic!("all are ready");
        };
        table.tick(starts_at);
        (table, starts_at)
    }

    fn play(table: &mut Table, at: u64, board: BoardId, ply: &str) {
        let game = table.state().game().expect("a match");
        let command = Command::Play {
            match_no: game.no(),
            board,
            answers: game.boards().plies(board),
            ply: ply.parse::<Ply>().expect("a ply"),
        };
        let seat = game.boards().seat_to_move(board);
        let player = table.state().occupant(seat).expect("somebody");
        table.handle(at, player, command).expect("that is legal");
    }

    #[test]
    fn plies_are_put_into_words_once_and_in_order() {
        let (mut table, start) = playing();
        let mut list = MoveList::new(table.state().game().expect("a match"));
        play(&mut table, start + 1_000, BoardId::B, "d2d4");
        play(&mut table, start + 2_000, BoardId::A, "g1f3");
        let lines = list.take_new(table.state().game().expect("a match"));
        let words: Vec<_> = lines
            .iter()
            .map(|line| {
                (
                    line.index,
                    line.seat,
                    line.number.as_str(),
                    line.san.as_str(),
                    line.left_ms,
                )
            })
            .collect();
        assert_eq!(
            words,
            [
                (0, Seat::BWhite, "1.", "d4", 179_000),
                (1, Seat::AWhite, "1.", "Nf3", 178_000)
            ]
        );
        play(&mut table, start + 4_500, BoardId::B, "d7d5");
        let lines = list.take_new(table.state().game().expect("a match"));
        assert_eq!(lines.len(), 1);
        assert_eq!(
            (lines[0].number.as_str(), lines[0].left_ms),
            ("1…", 176_500)
        );
        assert_eq!(list.len(), 3);
    }
}
