//! A small board to try: a whole match behind it, so that legality and captures are the game's own.

use leptos::prelude::*;
use tandem_core::{BoardId, Color, Match, Ply, Rules, Status};

use crate::board::{BoardModel, BoardView, Control, HandView, Shown};
use crate::text::guide::{lesson as l, trial};
use crate::text::{self, Text};

/// What there is to try. The reader is White on board A.
pub struct Lesson {
    title: Text,
    task: Text,
    /// Both boards.
    start: &'static str,
    /// The plies that show what is to be shown; none where any will do.
    goal: &'static [&'static str],
    /// What they show.
    good: Good,
    /// What others do on a button's press.
    next: Option<Next>,
    /// The others act first, because the reader cannot.
    others_first: bool,
    /// The partner's hand is worth a look.
    partner: bool,
}

/// The words of a button, the plies that others make when it is pressed, and what they show.
type Next = (Text, &'static [(BoardId, &'static str)], Text);

/// What is said once the goal is reached.
enum Good {
    Plain(Text),
    WithPly(fn(&str) -> String),
}

/// Board B where nothing matters there.
const QUIET: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

/// The five.
pub static LESSONS: [Lesson; 5] = [
    Lesson {
        title: l::DROP,
        task: l::DROP_TASK,
        start: "5rk1/5ppp/8/8/8/8/5PPP/6K1[N] w - - 0 1",
        goal: &["N@h6"],
        good: Good::WithPly(l::drop_good),
        next: None,
        others_first: false,
        partner: false,
    },
    Lesson {
        title: l::BLOCK,
        task: l::BLOCK_TASK,
        start: "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1|4k3/8/8/3b4/4P3/8/8/4K3 w - - 0 1",
        goal: &["e1e8"],
        good: Good::Plain(l::BLOCK_GOOD),
        next: Some((
            l::BLOCK_NEXT,
            &[(BoardId::B, "e4d5"), (BoardId::A, "B@f8")],
            l::BLOCK_AFTER,
        )),
        others_first: false,
        partner: false,
    },
    Lesson {
        title: l::MATE,
        task: l::MATE_TASK,
        start: "5rk1/5ppp/8/8/6Q1/8/1B3PPP/6K1 w - - 0 1",
        goal: &["g4g7"],
        good: Good::Plain(l::MATE_GOOD),
        next: None,
        others_first: false,
        partner: false,
    },
    Lesson {
        title: l::PROMOTED,
        task: l::PROMOTED_TASK,
        start: "6k1/5ppp/8/8/8/3q~4/5PPP/3R2K1 w - - 0 1",
        goal: &["d1d3"],
        good: Good::Plain(l::PROMOTED_GOOD),
        next: None,
        others_first: false,
        partner: true,
    },
    Lesson {
        title: l::WAIT,
        task: l::WAIT_TASK,
        start: "6k1/8/8/8/8/6q1/8/7K w - - 0 1|3k4/8/8/3p4/4R3/8/8/4K3 b - - 0 1",
        goal: &[],
        good: Good::WithPly(l::wait_good),
        next: Some((l::WAIT_NEXT, &[(BoardId::B, "d5e4")], l::WAIT_AFTER)),
        others_first: true,
        partner: false,
    },
];

/// How far the reader has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing has been done.
    Task,
    /// The goal was reached.
    Good,
    /// Something else was played.
    Other,
    /// The others have acted.
    Next,
}

impl Lesson {
    fn begin(&self) -> Match {
        let both = if self.start.contains('|') {
            self.start.to_owned()
        } else {
            format!("{}|{QUIET}", self.start)
        };
        Match::from_fens_lenient(&both, Rules::default())
            .unwrap_or_else(|_| Match::new(Rules::default()))
    }

    fn is_goal(&self, ply: Ply) -> bool {
        self.goal.is_empty() || self.goal.iter().any(|goal| goal.parse() == Ok(ply))
    }
}

/// One board to try.
#[component]
pub fn LessonView(lesson: &'static Lesson) -> impl IntoView {
    let game = RwSignal::new(lesson.begin());
    let last = RwSignal::new(None::<(Ply, String)>);
    let stage = RwSignal::new(Stage::Task);
    let shown = move |board| {
        Signal::derive(move || {
            game.with(|game| Shown {
                position: *game.position(board),
                plies: game.plies(board),
                last: last
                    .with(|last| last.as_ref().map(|(ply, _)| *ply))
                    .filter(|_| board == BoardId::A),
                ended: game.judge(Some(BoardId::A)).is_some(),
                decided: game.judge(Some(BoardId::A)).is_some(),
            })
        })
    };
    let play = Callback::new(move |(ply, ahead): (Ply, bool)| {
        if ahead {
            return;
        }
        let san = game.with_untracked(|game| game.position(BoardId::A).san(ply));
        let played = game.try_update(|game| game.play(BoardId::A, ply).is_ok());
        if played == Some(true) {
            last.set(Some((ply, san)));
            let good = lesson.is_goal(ply);
            stage.set(if good { Stage::Good } else { Stage::Other });
        }
    });
    let name = Signal::derive(move || trial::board((lesson.title)()));
    let running = Signal::derive(move || game.with(|game| game.judge(Some(BoardId::A)).is_none()));
    let may_play = Signal::derive(move || {
        running.get() && game.with(|game| game.position(BoardId::A).turn() == Color::White)
    });
    let own = BoardModel {
        mine: Signal::stored(Some(Color::White)),
        may_play,
        may_plan: may_play,
        running,
        waiting: Signal::derive(move || {
            let status = game.with(|game| game.position(BoardId::A).status());
            (status == Status::Waiting).then(|| text::board::WAITING_SHORT().to_owned())
        }),
        play,
        ..BoardModel::still(
            BoardId::A,
            shown(BoardId::A),
            Signal::stored(Color::White),
            name,
        )
    };
    let control = Control::among_others(own);
    let partners = lesson.partner.then(|| {
        BoardModel::still(
            BoardId::B,
            shown(BoardId::B),
            Signal::stored(Color::Black),
            name,
        )
    });
    let said = move || match (stage.get(), &lesson.good) {
        (Stage::Task, _) => String::new(),
        (Stage::Good, Good::Plain(words)) => words().to_owned(),
        (Stage::Good, Good::WithPly(words)) => words(&ply_words(last)),
        (Stage::Other, _) => trial::other(&ply_words(last)),
        (Stage::Next, _) => lesson
            .next
            .as_ref()
            .map(|(_, _, after)| after().to_owned())
            .unwrap_or_default(),
    };
    let next = move || {
        let due = if lesson.others_first {
            Stage::Task
        } else {
            Stage::Good
        };
        lesson
            .next
            .as_ref()
            .filter(|_| stage.get() == due)
            .map(|(words, plies, _)| {
                let act = move |_| {
                    for (board, ply) in *plies {
                        let Ok(ply) = ply.parse::<Ply>() else { return };
                        let san = game.with_untracked(|game| game.position(*board).san(ply));
                        let played = game.try_update(|game| game.play(*board, ply).is_ok());
                        if played == Some(true) && *board == BoardId::A {
                            last.set(Some((ply, san)));
                        }
                    }
                    stage.set(Stage::Next);
                    control.roving.take_focus();
                };
                view! {
                    <button class="btn primary" type="button" on:click=act>
                        {*words}
                    </button>
                }
            })
    };
    let again = move |_| {
        control.put_down();
        game.set(lesson.begin());
        last.set(None);
        stage.set(Stage::Task);
        control.roving.take_focus();
    };
    view! {
        <section class="card lesson">
            <h3>{lesson.title}</h3>
            <p>{lesson.task}</p>
            <div class="me">
                <BoardView model=own control=Some(control) />
                <HandView model=own color=Color::White name=Signal::derive(|| trial::OPPONENT().to_owned()) control=Some(control) />
            </div>
            {partners
                .map(|model| {
                    view! {
                        <p class="muted">{trial::PARTNER_HAND}</p>
                        <HandView model=model color=Color::Black name=Signal::derive(|| trial::PARTNER().to_owned()) />
                    }
                })}
            <p class="outcome" role="status">{said}</p>
            <div class="pair">
                {next}
                <button class="btn" type="button" disabled=move || stage.get() == Stage::Task on:click=again>
                    {trial::AGAIN}
                </button>
            </div>
        </section>
    }
}

/// The last ply in the reader's letters.
fn ply_words(last: RwSignal<Option<(Ply, String)>>) -> String {
    last.with(|last| {
        last.as_ref()
            .map(|(_, san)| text::letters().localize(san))
            .unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lesson_can_be_gone_through() {
        for lesson in &LESSONS {
            let mut game = lesson.begin();
            assert_ne!(game, Match::new(Rules::default()));
            let others = |game: &mut Match| {
                for (board, ply) in lesson.next.iter().flat_map(|(_, plies, _)| plies.iter()) {
                    game.play(*board, ply.parse().unwrap()).unwrap();
                }
            };
            if lesson.others_first {
                others(&mut game);
                assert!(!game.position(BoardId::A).legal_plies().is_empty());
            } else {
                for goal in lesson.goal {
                    game.play(BoardId::A, goal.parse().unwrap()).unwrap();
                }
                others(&mut game);
            }
        }
    }
}
