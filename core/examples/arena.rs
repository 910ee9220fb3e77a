//! Plays matches between teams of bots and says how much stronger one level is than another.
//!
//! Each pair of matches has one seed and changes the sides. Clocks are virtual: a ply takes what
//! the bot asks for, or what its search would have taken on a machine of a fixed speed, so that
//! the same arguments always give the same matches.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tandem_core::bot::{Bot, Level, Thought, View};
use tandem_core::clock::Clocks;
use tandem_core::tell::Tell;
use tandem_core::{BoardId, EndRule, Match, Options, Seat, Team};

mod cli;

use cli::{Arguments, Failure, Tool};

const TOOL: Tool = Tool {
    name: "arena",
    usage: "arena [--levels 1,2,…] [--matches 100] [--seed 1] [--seconds 180] [--increment 0] [--json FILE]",
    positional: &[],
    switches: &[],
    options: &[
        "--levels",
        "--matches",
        "--seed",
        "--seconds",
        "--increment",
        "--json",
    ],
};

/// How fast the virtual machine searches.
const NODES_PER_MS: u64 = 200;

fn main() -> ExitCode {
    TOOL.run(work)
}

fn work(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let levels = levels(arguments.flag("--levels").unwrap_or("1,2,3,4,5,6,7,8"))?;
    let matches: u32 = number(arguments, "--matches", 100, 1..=100_000)?;
    let seed: u64 = number(arguments, "--seed", 1, 0..=u64::MAX)?;
    let seconds: u32 = number(arguments, "--seconds", 180, 30..=3_600)?;
    let increment: u32 = number(arguments, "--increment", 0, 0..=60)?;
    let options = Options {
        base_ms: seconds * 1_000,
        increment_ms: increment * 1_000,
        rules: arguments.rules,
        talk: true,
    };
    let mut json = match arguments.flag("--json") {
        // Opened first: nobody wants to learn of a wrong path after an hour of matches.
        Some(path) => Some(
            std::fs::File::create(path)
                .map_err(|error| Failure::Usage(format!("cannot write {path:?}: {error}")))?,
        ),
        None => None,
    };
    let mut figures = Vec::new();
    for pair in levels.windows(2) {
        let tally = play_pair(pair[0], pair[1], matches, seed, &options);
        writeln!(out, "{}", tally.line(pair[0], pair[1]))?;
        out.flush()?;
        tally.figures(pair[0], pair[1], &mut figures);
    }
    if let Some(file) = &mut json {
        writeln!(file, "{{\n{}\n}}", figures.join(",\n"))?;
    }
    Ok(())
}

fn levels(text: &str) -> Result<Vec<Level>, Failure> {
    let levels: Option<Vec<Level>> = text
        .split(',')
        .map(|text| Level::try_from(text.trim().parse::<u8>().ok()?).ok())
        .collect();
    levels
        .filter(|levels| levels.len() >= 2)
        .ok_or_else(|| Failure::Usage("--levels needs two levels or more, such as 3,4".into()))
}

fn number<T>(
    arguments: &Arguments,
    flag: &str,
    otherwise: T,
    range: std::ops::RangeInclusive<T>,
) -> Result<T, Failure>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let Some(text) = arguments.flag(flag) else {
        return Ok(otherwise);
    };
    let parsed = text.parse().ok().filter(|value| range.contains(value));
    parsed.ok_or_else(|| {
        let (least, most) = range.into_inner();
        Failure::Usage(format!(
            "{flag} must be a whole number from {least} to {most}"
        ))
    })
}

/// What came of the matches of one pair of levels.
#[derive(Default)]
struct Tally {
    /// Won by the second of the two levels.
    won: u32,
    lost: u32,
    drawn: u32,
    by_time: u32,
    plies: u64,
    nodes: u64,
    thought: Duration,
    slowest: u64,
}

impl Tally {
    fn matches(&self) -> f64 {
        f64::from(self.won + self.lost + self.drawn)
    }

    /// The second level's lead in Elo, and half the width of the 95 % interval.
    fn elo(&self) -> (f64, f64) {
        let played = self.matches();
        let score = (f64::from(self.won) + f64::from(self.drawn) / 2.0) / played;
        let square = |won: f64| (won - score) * (won - score);
        let variance = (f64::from(self.won) * square(1.0)
            + f64::from(self.drawn) * square(0.5)
            + f64::from(self.lost) * square(0.0))
            / played;
        let error = 1.96 * (variance / played).sqrt();
        // A clean sweep has no finite difference; half a match less has.
        let bound = 0.5 / played;
        let elo = |score: f64| {
            let score = score.clamp(bound, 1.0 - bound);
            -400.0 * (1.0 / score - 1.0).log10()
        };
        (elo(score), (elo(score + error) - elo(score - error)) / 2.0)
    }

    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.thought.as_secs_f64().max(1e-9)
    }

    fn line(&self, first: Level, second: Level) -> String {
        let (elo, error) = self.elo();
        let mut line = format!(
            "level {second} against {first}: +{} -{} ={}, Elo {elo:+.0} ± {error:.0}",
            self.won, self.lost, self.drawn
        );
        let _ = write!(
            line,
            "; {:.0} plies a match, {} ended on time, {:.0} nodes/s, at most {} nodes a ply",
            self.plies as f64 / self.matches(),
            self.by_time,
            self.nodes_per_second(),
            self.slowest,
        );
        line
    }

    fn figures(&self, first: Level, second: Level, out: &mut Vec<String>) {
        let (elo, error) = self.elo();
        let played = self.matches();
        out.push(format!(
            "  \"elo of level {second} over {first}\": {{\"value\": {elo:.0}, \"unit\": \"Elo\", \
             \"error\": {error:.0}, \"matches\": {played}}}"
        ));
        out.push(format!(
            "  \"speed of levels {first} and {second}\": {{\"value\": {:.0}, \"unit\": \"nodes/s\"}}",
            self.nodes_per_second()
        ));
    }
}

fn play_pair(first: Level, second: Level, matches: u32, seed: u64, options: &Options) -> Tally {
    let mut tally = Tally::default();
    for number in 0..matches {
        // Two matches with one seed: each level has each side once.
        let second_team = Team::ALL[number as usize % 2];
        let levels = Seat::ALL.map(|seat| {
            if seat.team() == second_team {
                second
            } else {
                first
            }
        });
        let seed = seed.wrapping_add(u64::from(number / 2));
        let (rule, winner) = Arena::new(levels, seed, options).play(&mut tally);
        match winner {
            Some(team) if team == second_team => tally.won += 1,
            Some(_) => tally.lost += 1,
            None => tally.drawn += 1,
        }
        tally.by_time += u32::from(rule == EndRule::Time);
    }
    tally
}

/// One match in virtual time.
struct Arena {
    bots: [Bot; 4],
    game: Match,
    clocks: Clocks,
    increment_ms: u32,
    now: u64,
    turns: [Turn; 2],
    told: [Vec<Tell>; 4],
}

/// The turn that is on at a board.
#[derive(Default)]
struct Turn {
    began: u64,
    /// What will be played and when, or when to ask again.
    planned: Option<(Thought, u64)>,
    partner_plies: u16,
}

impl Arena {
    fn new(levels: [Level; 4], seed: u64, options: &Options) -> Arena {
        let bot = |seat: Seat| {
            let seat = seat.index();
            Bot::new(levels[seat], seed.wrapping_mul(4).wrapping_add(seat as u64))
        };
        Arena {
            bots: Seat::ALL.map(bot),
            game: Match::new(options.rules),
            clocks: Clocks::new(options),
            increment_ms: options.increment_ms,
            now: 0,
            turns: Default::default(),
            told: Default::default(),
        }
    }

    fn play(mut self, tally: &mut Tally) -> (EndRule, Option<Team>) {
        loop {
            // What one bot tells may wake its partner on the other board.
            while let Some(board) = BoardId::ALL
                .into_iter()
                .find(|board| self.turns[board.index()].planned.is_none())
            {
                self.think(board, tally);
            }
            let due = BoardId::ALL.map(|board| {
                let planned = &self.turns[board.index()].planned;
                planned.as_ref().map_or(u64::MAX, |&(_, at)| at)
            });
            let board = if due[0] <= due[1] {
                BoardId::A
            } else {
                BoardId::B
            };
            let at = due[board.index()];
            let flag = self.clocks.next_flag([0; 2]);
            if flag.due <= at {
                return match flag.seats {
                    [Some(_), Some(_)] => (EndRule::BothAtOnce, None),
                    [seat, other] => (
                        EndRule::Time,
                        seat.or(other).map(|seat| seat.team().other()),
                    ),
                };
            }
            self.now = at;
            let ply = match self.turns[board.index()].planned.take() {
                Some((Thought { ply: Some(ply), .. }, _)) => ply,
                // The wait is over: ask again.
                _ => continue,
            };
            if let Err(error) = self.game.play(board, ply) {
                panic!("a bot played {ply} on {board}: {error}");
            }
            self.clocks.press(board, at, 0);
            tally.plies += 1;
            self.turns[board.index()] = Turn {
                began: at,
                ..Turn::default()
            };
            if let Some(end) = self.game.judge(Some(board)) {
                return (end.rule, end.winner);
            }
            self.partner_played(board.other());
        }
    }

    /// A ply on the other board: whoever waits here is asked again.
    fn partner_played(&mut self, board: BoardId) {
        let mover = self.game.seat_to_move(board.other()).opponent();
        let turn = &mut self.turns[board.index()];
        if self.game.seat_to_move(board) == mover.partner() {
            turn.partner_plies += 1;
        }
        self.ask_again(board);
    }

    fn ask_again(&mut self, board: BoardId) {
        let turn = &mut self.turns[board.index()];
        if turn
            .planned
            .as_ref()
            .is_some_and(|(plan, _)| plan.ply.is_none())
        {
            turn.planned = None;
        }
    }

    fn think(&mut self, board: BoardId, tally: &mut Tally) {
        let seat = self.game.seat_to_move(board);
        let clock = |seat| u64::try_from(self.clocks.left(seat, self.now)).unwrap_or(0);
        let turn = &self.turns[board.index()];
        let heard = std::mem::take(&mut self.told[seat.index()]);
        let view = View {
            boards: &self.game,
            seat,
            clocks_ms: Some(Seat::ALL.map(clock)),
            increment_ms: self.increment_ms,
            heard: &heard,
            partner_plies_since_my_turn: turn.partner_plies,
        };
        let started = Instant::now();
        let mut thought = self.bots[seat.index()].think(&view);
        tally.thought += started.elapsed();
        tally.nodes += thought.nodes;
        tally.slowest = tally.slowest.max(thought.nodes);
        let took = thought.nodes / NODES_PER_MS + 1;
        let pace = u64::from(thought.pace_ms);
        let at = match thought.ply {
            Some(_) => (turn.began + pace).max(self.now + took),
            None => self.now + pace.max(took),
        };
        let said = std::mem::take(&mut thought.say);
        self.turns[board.index()].planned = Some((thought, at));
        if !said.is_empty() {
            self.told[seat.partner().index()].extend(said);
            if self.game.seat_to_move(board.other()) == seat.partner() {
                self.ask_again(board.other());
            }
        }
    }
}
