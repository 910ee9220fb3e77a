//! What must hold at every event, and at the end of a world.

use std::collections::BTreeMap;

use tandem_core::protocol::BEAT_MS;
use tandem_core::table::{Event, Phase};
use tandem_core::tell::Channel;
use tandem_core::{BoardId, Color, EndRule, Match, Role, Seat, Square};

use super::PEERS;
use super::lines::World;
use super::script::Weather;

impl World {
    pub(super) fn check(&mut self) {
        let state = self.table.state();
        let new: Vec<_> = self
            .table
            .events_since(self.checked_seq)
            .expect("every event is checked soon after it happened")
            .cloned()
            .collect();
        for stamped in &new {
            match &stamped.event {
                Event::Started => self.record.matches += 1,
                Event::Played { .. } => self.record.plies += 1,
                Event::Paused(_) => self.record.pauses += 1,
                Event::Ended(end) => {
                    let rule = EndRule::ALL.iter().position(|r| *r == end.rule);
                    self.record.ends[rule.expect("a rule")] += 1;
                    assert!(self.ended.insert(state.matches()), "a match ends once");
                    for said in &mut self.said {
                        if said.match_no == state.matches() {
                            said.ended_at = Some(self.now);
                        }
                    }
                }
                _ => {}
            }
        }
        self.checked_seq = state.seq();
        let Some(game) = state.game() else {
            return;
        };
        if game.options().increment_ms == 0 {
            let at = game.match_time(self.now);
            let [aw, ab, bw, bb] = Seat::ALL.map(|seat| game.clocks().left(seat, at));
            assert_eq!(aw + ab, bw + bb, "both boards have the same time");
        }
        assert_eq!(
            pieces(game.boards()),
            pieces(&Match::new(game.options().rules))
        );
        assert_eq!(
            game.plies().len(),
            usize::from(game.boards().plies(BoardId::A) + game.boards().plies(BoardId::B))
        );
    }

    /// Whether everyone who is connected has all there is and nothing of theirs is under way.
    pub(super) fn is_settled(&self) -> bool {
        self.peers.iter().all(|peer| {
            !peer.online
                || (peer.replica.pending().is_none()
                    && peer.replica.state() == Some(self.table.state()))
        })
    }

    /// Calm weather, everyone back: now all must agree.
    pub(super) fn settle(&mut self) {
        self.weather = Weather::CALM;
        self.table.unblock(self.now);
        self.broadcast();
        for _ in 0..4 {
            for who in 0..PEERS {
                self.connect(who);
            }
            self.wait(3 * BEAT_MS);
        }
        for (who, peer) in self.peers.iter().enumerate() {
            assert!(peer.online, "peer {who} stays connected in calm weather");
            assert_eq!(
                peer.replica.state(),
                Some(self.table.state()),
                "the replica of peer {who} equals the authority"
            );
            assert_eq!(
                peer.replica.pending(),
                None,
                "nothing of peer {who} is pending"
            );
            assert_eq!(
                peer.replica.boards().as_ref(),
                self.table.state().game().map(|game| game.boards()),
            );
            // What the team said in this match has reached both of it.
            let player = self.desks[who].player.expect("connected");
            let last = self.table.heard_by(player);
            for channel in Channel::ALL {
                if last[channel.index()] > 0 {
                    assert!(
                        peer.heard
                            .contains(&(channel.index(), last[channel.index()])),
                        "peer {who} has heard all of {channel:?}"
                    );
                }
            }
            if self.table.state().phase() == Phase::Playing {
                for seat in Seat::ALL {
                    let game = self.table.state().game().expect("a match is being played");
                    let (shown, _) = peer.replica.clock(seat, self.local(who)).expect("a clock");
                    let true_clock = game.clock(seat, self.now);
                    assert!(
                        shown >= true_clock && shown <= true_clock + 20,
                        "peer {who} sees {shown} ms of {seat}, it has {true_clock}"
                    );
                }
            }
        }
    }
}

/// How many pieces of each kind there are on both boards and in all hands; promoted ones are pawns.
fn pieces(boards: &Match) -> BTreeMap<(bool, char), u32> {
    let mut count = BTreeMap::new();
    for position in BoardId::ALL.map(|board| boards.position(board)) {
        for square in Square::all() {
            if let Some(piece) = position.piece_at(square) {
                let role = if position.is_promoted(square) {
                    Role::Pawn
                } else {
                    piece.role
                };
                *count
                    .entry((piece.color == Color::White, role.letter()))
                    .or_insert(0) += 1;
            }
        }
        for color in [Color::White, Color::Black] {
            for role in Role::HAND {
                let held = u32::from(position.hand(color).count(role));
                if held > 0 {
                    *count
                        .entry((color == Color::White, role.letter()))
                        .or_insert(0) += held;
                }
            }
        }
    }
    count
}
