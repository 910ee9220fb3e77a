//! What people do: what they should, what they seldom do, and what is wrong.

use tandem_core::premove::{Origin, Plan};
use tandem_core::replica::CannotPlay;
use tandem_core::table::{Arrangement, Command, MatchNo, Millis, PauseReason, Phase, PlayerId};
use tandem_core::tell::{Channel, Tell, Words};
use tandem_core::{BoardId, Options, Ply, Role, Seat, Square, Status, Team};

use super::lines::World;
use super::script::Step;

impl World {
    pub(super) fn send(&mut self, who: usize, command: Command) {
        if let Ok(message) = self.peers[who].replica.send(command) {
            self.page_sends(who, &message);
        }
    }

    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Act { who, pick } => self.act(who, pick),
            Step::Odd { who, pick } => self.odd(who, pick),
            Step::Wrong { who, pick } => self.wrong(who, pick),
            Step::Wait { ms } => self.wait(Millis::from(ms)),
            Step::Cut { who } => self.cut(who),
            Step::Back { who } => self.connect(who),
            Step::Pause { restart } => {
                let reason = if restart {
                    PauseReason::RelayRestarted
                } else {
                    PauseReason::DiskFull
                };
                self.table.pause(self.now, reason);
                self.broadcast();
            }
            Step::Unblock => {
                self.table.unblock(self.now);
                self.broadcast();
            }
        }
        self.wait(1);
    }

    pub(super) fn act(&mut self, who: usize, pick: u32) {
        // Whoever is cut off goes on playing on the own screen.
        if !self.peers[who].online && pick.is_multiple_of(3) {
            self.connect(who);
        }
        let Some(state) = self.peers[who].replica.state().cloned() else {
            return;
        };
        match (state.phase(), self.peers[who].replica.seat()) {
            (Phase::Lobby, None) if who < 4 => {
                let free: Vec<Seat> = Seat::ALL
                    .into_iter()
                    .filter(|seat| state.occupant(*seat).is_none() || pick.is_multiple_of(9))
                    .collect();
                if !free.is_empty() {
                    self.send(who, Command::Sit(free[pick as usize % free.len()]));
                }
            }
            (Phase::Lobby, Some(seat)) if !state.is_ready(seat) => {
                self.send(who, Command::SetReady(true));
            }
            (Phase::Playing, Some(seat))
                if pick.is_multiple_of(3) && !self.peers[who].replica.is_my_turn() =>
            {
                self.premove(who, seat, pick / 3);
            }
            (Phase::Playing, Some(seat)) => {
                let Some(boards) = self.peers[who].replica.boards() else {
                    return;
                };
                let plies = boards.position(seat.board()).legal_plies();
                if !plies.is_empty() && self.peers[who].replica.is_my_turn() {
                    let mates = |ply: &&Ply| {
                        let mut after = *boards.position(seat.board());
                        after.play(**ply).is_ok() && after.status() == Status::Checkmate
                    };
                    // Random play hardly ever mates, so mates are sought now and then.
                    let ply = match plies.iter().find(mates) {
                        Some(mate) if pick.is_multiple_of(4) => *mate,
                        _ => plies[pick as usize % plies.len()],
                    };
                    let local = self.local(who);
                    let decided = boards.judge(None).is_some();
                    match self.peers[who].replica.play(ply, local) {
                        Ok(message) => {
                            let shown = self.peers[who].replica.boards().expect("still a match");
                            assert_eq!(
                                shown.plies(seat.board()),
                                boards.plies(seat.board()) + 1,
                                "the own ply is shown at once"
                            );
                            self.page_sends(who, &message);
                        }
                        // In bad weather many commands are without an answer.
                        Err(CannotPlay::Link(_)) => {}
                        Err(error) => assert!(decided, "{error}"),
                    }
                }
            }
            (Phase::Ended, Some(_)) => {
                let no = MatchNo(state.matches());
                let arrangement = match self.random.below(3) {
                    0 => Arrangement::SwapColors,
                    1 => Arrangement::SwapPartners,
                    _ => Arrangement::Same,
                };
                let command = match pick % 8 {
                    _ if !state.is_full() => Command::ToLobby(no),
                    0 => Command::Rematch(no, arrangement),
                    _ => Command::Rematch(
                        no,
                        state
                            .rematch()
                            .map_or(Arrangement::Same, |wish| wish.arrangement),
                    ),
                };
                self.send(who, command);
            }
            _ => {}
        }
    }

    /// Lines up whatever a piece could do on an empty board, or forgets all that is lined up.
    fn premove(&mut self, who: usize, seat: Seat, pick: u32) {
        let local = self.local(who);
        let replica = &mut self.peers[who].replica;
        let Some(boards) = replica.boards() else {
            return;
        };
        if pick.is_multiple_of(11) {
            replica.forget_premoves();
            return;
        }
        let plan = Plan::new(
            boards.position(seat.board()),
            seat.color(),
            replica.premoves(),
        );
        let origins: Vec<Origin> = plan
            .occupied()
            .into_iter()
            .map(Origin::Square)
            .chain(Role::HAND.map(Origin::Hand))
            .collect();
        let from = origins[pick as usize % origins.len()];
        let reach: Vec<Square> = plan.reach(from).into_iter().collect();
        if reach.is_empty() {
            return;
        }
        let to = reach[(pick / 7) as usize % reach.len()];
        let plies = plan.plies(from, to);
        let ply = plies[pick as usize % plies.len()];
        if let Ok((notices, messages)) = replica.premove(ply, local) {
            self.notice(who, &notices);
            for message in messages {
                self.page_sends(who, &message);
            }
        }
    }

    pub(super) fn odd(&mut self, who: usize, pick: u32) {
        let Some(state) = self.peers[who].replica.state().cloned() else {
            return;
        };
        let no = MatchNo(state.matches());
        let seat = self.peers[who].replica.seat();
        let command = match pick % 24 {
            // What upsets the seating plan is rare, or nothing would ever begin.
            0 | 14 | 15 if !(pick / 24).is_multiple_of(8) => Command::SetReady(true),
            0 => Command::Stand,
            1 if pick.is_multiple_of(5) => Command::Leave,
            2 if pick.is_multiple_of(7) => Command::Resign(no),
            3..=5 => Command::OfferDraw(no),
            6..=10 => Command::AcceptDraw(no),
            11 => Command::DeclineDraw(no),
            12 => Command::WithdrawDraw(no),
            13 => Command::SetName(format!("  Name {} ", pick % 3)),
            14 => Command::Swap(Seat::ALL[(pick / 24) as usize % 4], Seat::BWhite),
            15 => Command::SetOptions(Options {
                base_ms: 30_000 + (pick % 1_000),
                increment_ms: if pick.is_multiple_of(4) { 1_000 } else { 0 },
                ..Options::default()
            }),
            16 => Command::Say(Channel::Everyone, Words::Tell(Tell::Thanks)),
            _ => {
                let Some(seat) = seat else {
                    return;
                };
                let channel = match seat.team() {
                    Team::One => Channel::TeamOne,
                    Team::Two => Channel::TeamTwo,
                };
                let text = format!("{seat}:{pick}:{}", self.now);
                Command::Say(channel, Words::Text(text))
            }
        };
        self.send(who, command);
    }

    pub(super) fn wrong(&mut self, who: usize, pick: u32) {
        let Some(state) = self.peers[who].replica.state().cloned() else {
            return;
        };
        let matches = state.matches();
        let any_ply = Ply::Move {
            from: Square::new((pick % 64) as u8).expect("below 64"),
            // Never the same square: such a ply cannot even be written.
            to: Square::new(((pick + 1 + pick / 64 % 63) % 64) as u8).expect("below 64"),
            promotion: None,
        };
        let any_drop = Ply::Drop {
            role: Role::Queen,
            to: Square::new((pick % 64) as u8).expect("below 64"),
        };
        let board = if pick.is_multiple_of(2) {
            BoardId::A
        } else {
            BoardId::B
        };
        let answers = state.game().map_or(0, |game| game.boards().plies(board));
        let command = match pick % 9 {
            // Late, early, on a foreign board, in another match, out of turn, against the rules.
            0 => play(matches, board, answers.wrapping_sub(1), any_ply),
            1 => play(matches, board, answers + 1, any_ply),
            2 => play(matches, board.other(), answers, any_ply),
            3 => play(matches.wrapping_sub(1), board, answers, any_ply),
            4 => play(matches + 1, board, answers, any_drop),
            5 => play(matches, board, answers, any_drop),
            6 => Command::Resign(MatchNo(matches.wrapping_sub(1))),
            7 => Command::Remove(PlayerId(pick as u16)),
            _ => Command::Rematch(MatchNo(matches + 1), Arrangement::Same),
        };
        self.send(who, command);
    }
}

fn play(match_no: u16, board: BoardId, answers: u16, ply: Ply) -> Command {
    Command::Play {
        match_no: MatchNo(match_no),
        board,
        answers,
        ply,
    }
}
