//! A table's task without sockets, on a clock that jumps to whatever is due next.

use std::io::Cursor;
use std::sync::atomic::Ordering;

use tandem_core::protocol::{ClientMessage, Token, decode};
use tandem_core::replica::Replica;
use tandem_core::table::MatchNo;
use tandem_core::{EndRule, Options, Seat, TableCode, Team};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, OpCode};

use super::*;
use crate::bots::Pool;
use crate::journal::Journal;
use crate::limits;
use crate::line::{LineEnd, Outbox, line};

struct Bench {
    inputs: mpsc::Sender<Input>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Bench {
    fn new(config: Config) -> Bench {
        Bench::with_origin(config, Origin::new(Record::default()))
    }

    fn with_origin(config: Config, origin: Origin) -> Bench {
        let (inputs, mailbox) = mpsc::channel(limits::MAILBOX);
        let (stop, stopping) = watch::channel(false);
        let pool = Pool::start(0, 0).unwrap();
        let bots = TableBots::new(&pool, 1);
        let table = TableTask::new(
            &Arc::new(config),
            Arc::new(Metrics::new()),
            77,
            bots,
            origin,
            mailbox,
            stopping,
        );
        Bench {
            inputs,
            stop,
            task: tokio::spawn(Box::new(table).run()),
        }
    }

    async fn ended(self) -> Result<(), tokio::task::JoinError> {
        timeout(Duration::from_secs(7 * 24 * 3_600), self.task)
            .await
            .expect("the table does not end")
    }
}

/// A page, and the connection in front of it.
struct Page {
    replica: Replica,
    id: LineId,
    end: LineEnd,
    inputs: mpsc::Sender<Input>,
    started: Instant,
    /// Why the line was closed, if it was.
    closed: Option<Option<Close>>,
    pings: usize,
    beats: usize,
}

impl Page {
    async fn join(bench: &Bench, token: u8) -> Page {
        let replica = Replica::new(u32::from(token));
        let code = TableCode::from_random(1);
        let ClientMessage::Hello(hello) = replica.hello(code, Token([token; 16]), "") else {
            panic!("no hello");
        };
        let (line, end) = line(Outbox::new(None));
        let id = line.id();
        bench
            .inputs
            .send(Input::Hello {
                hello: Box::new(hello),
                line,
            })
            .await
            .unwrap();
        Page {
            replica,
            id,
            end,
            inputs: bench.inputs.clone(),
            started: Instant::now(),
            closed: None,
            pings: 0,
            beats: 0,
        }
    }

    async fn say(&self, message: ClientMessage) {
        let from = self.id;
        let input = match message {
            ClientMessage::Command { id, command } => Input::Command {
                from,
                id,
                command: Ok(command),
            },
            ClientMessage::Echo => Input::Echo { from },
            ClientMessage::Resync(have) => Input::Resync { from, have },
            ClientMessage::Hello(_) => panic!("a second hello"),
        };
        let _ = self.inputs.send(input).await;
    }

    async fn send(&mut self, command: Command) {
        let message = self.replica.send(command).unwrap();
        self.say(message).await;
    }

    /// Takes the next frames; `false` when the line is closed.
    async fn step(&mut self) -> bool {
        let bytes = tokio::select! {
            biased;
            bytes = self.end.outbox.next() => bytes,
            reason = &mut self.end.closing, if self.closed.is_none() => {
                self.closed = Some(reason.ok());
                return false;
            }
        };
        let mut bytes = Cursor::new(bytes);
        while let Some((header, length)) = FrameHeader::parse(&mut bytes).unwrap() {
            let from = usize::try_from(bytes.position()).unwrap();
            let to = from + usize::try_from(length).unwrap();
            bytes.set_position(to as u64);
            if header.opcode == OpCode::Control(Control::Ping) {
                self.pings += 1;
                continue;
            }
            let message: ServerMessage = decode(&bytes.get_ref()[from..to]).unwrap();
            self.beats += usize::from(matches!(message, ServerMessage::Beat { .. }));
            let local = millis(self.started.elapsed());
            for reply in self.replica.receive(message, local).1 {
                self.say(reply).await;
            }
        }
        true
    }

    async fn until(&mut self, is_so: impl Fn(&Page) -> bool) {
        while !is_so(self) {
            assert!(self.step().await, "closed: {:?}", self.closed);
        }
    }

    async fn closed(mut self) -> Close {
        while self.step().await {}
        self.closed.flatten().expect("a reason")
    }
}

/// Four players in a match of 30 seconds each.
async fn four(bench: &Bench) -> [Page; 4] {
    let mut pages = [
        Page::join(bench, 1).await,
        Page::join(bench, 2).await,
        Page::join(bench, 3).await,
        Page::join(bench, 4).await,
    ];
    let options = Options {
        base_ms: 30_000,
        ..Options::default()
    };
    pages[0].send(Command::SetOptions(options)).await;
    for (page, seat) in pages.iter_mut().zip(Seat::ALL) {
        page.send(Command::Sit(seat)).await;
        page.send(Command::SetReady(true)).await;
    }
    for page in &mut pages {
        page.until(|page| page.replica.game().is_some()).await;
    }
    pages
}

/// Lets all four pages live until each of them is so.
async fn all_until(pages: [Page; 4], is_so: impl Fn(&Page) -> bool + Copy) -> [Page; 4] {
    let [mut a, mut b, mut c, mut d] = pages;
    // Whoever is so early goes on living, or the table would take it for silent.
    async fn live(page: &mut Page, is_so: impl Fn(&Page) -> bool, so: &watch::Sender<usize>) {
        page.until(&is_so).await;
        so.send_modify(|count| *count += 1);
        let mut count = so.subscribe();
        loop {
            tokio::select! {
                _ = count.wait_for(|&count| count == 4) => return,
                goes_on = page.step() => assert!(goes_on),
            }
        }
    }
    let so = watch::Sender::new(0);
    tokio::join!(
        live(&mut a, is_so, &so),
        live(&mut b, is_so, &so),
        live(&mut c, is_so, &so),
        live(&mut d, is_so, &so),
    );
    [a, b, c, d]
}

fn is_over(page: &Page) -> bool {
    page.replica.game().is_some_and(|game| game.end().is_some())
}

#[tokio::test(start_paused = true)]
async fn a_flag_falls_by_the_timer_alone() {
    let bench = Bench::new(Config::default());
    let mut pages = four(&bench).await;
    sleep(Duration::from_millis(1_500)).await;
    let local = millis(pages[0].started.elapsed());
    let ply = pages[0].replica.play("e2e4".parse().unwrap(), local);
    pages[0].say(ply.unwrap()).await;
    let began = Instant::now();
    let pages = all_until(pages, is_over).await;
    for page in &pages {
        let end = page.replica.game().unwrap().end().unwrap();
        // White on B never moved, and ran out before Black on A, who began later.
        assert_eq!(end.rule, EndRule::Time);
        assert_eq!(end.seat, Some(Seat::BWhite));
        assert_eq!(end.winner, Some(Team::One));
        assert_eq!(end.at, 30_000);
    }
    let waited = millis(began.elapsed());
    assert!((28_000..=28_600).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn two_flags_at_the_same_instant_draw() {
    let bench = Bench::new(Config::default());
    let pages = four(&bench).await;
    for page in all_until(pages, is_over).await {
        let end = page.replica.game().unwrap().end().unwrap();
        assert_eq!((end.rule, end.winner), (EndRule::BothAtOnce, None));
    }
}

#[tokio::test(start_paused = true)]
async fn absence_ends_a_match_when_its_grace_is_over() {
    let bench = Bench::new(Config {
        absence_grace: Duration::from_secs(9),
        ..Config::default()
    });
    let pages = four(&bench).await;
    let began = Instant::now();
    let from = pages[Seat::ABlack.index()].id;
    bench.inputs.send(Input::Gone { from }).await.unwrap();
    let [mut a, gone, mut c, mut d] = pages;
    tokio::join!(a.until(is_over), c.until(is_over), d.until(is_over));
    drop(gone);
    let end = a.replica.game().unwrap().end().unwrap();
    assert_eq!(end.rule, EndRule::Leaving);
    assert_eq!(end.seat, Some(Seat::ABlack));
    let waited = millis(began.elapsed());
    assert!((9_000..=9_100).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn beats_and_pings_come_every_two_seconds_and_silence_closes() {
    let bench = Bench::new(Config::default());
    let mut page = Page::join(&bench, 1).await;
    page.until(|page| page.beats == 10).await;
    let lived = millis(page.started.elapsed());
    assert!((20_000..=20_100).contains(&lived), "{lived}");
    // One with the hello, and one with each beat.
    assert_eq!(page.pings, 11);
    // From now on nothing is echoed.
    let silent_since = Instant::now();
    let mut end = page.end;
    assert_eq!((&mut end.closing).await, Ok(Close::Silent));
    let waited = millis(silent_since.elapsed());
    assert!((5_900..=6_100).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn lag_is_the_least_of_five_and_told_with_the_beat() {
    let bench = Bench::new(Config::default());
    let mut page = Page::join(&bench, 1).await;
    for round_trip_ms in [90, 250, 80, 300, 120] {
        let from = page.id;
        let input = Input::Measured {
            from,
            round_trip_ms,
        };
        bench.inputs.send(input).await.unwrap();
    }
    page.until(|page| page.replica.people().iter().any(|here| here.lag_ms == 80))
        .await;
    assert!(millis(page.started.elapsed()) >= BEAT_MS);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_does_not_read_is_closed_and_nobody_waits_for_it() {
    let bench = Bench::new(Config::default());
    let mut page = Page::join(&bench, 1).await;
    let slow = Page::join(&bench, 2).await;
    let cut = |page: &Page| {
        let mut people = page.replica.people().iter();
        people.any(|here| here.away_since.is_some())
    };
    for number in 0..limits::OUTBOUND {
        if cut(&page) {
            break;
        }
        page.send(Command::SetName(format!("Anna {number}"))).await;
        let last = format!("Anna {number}");
        page.until(|page| {
            page.replica
                .state()
                .is_some_and(|state| state.players()[0].name == last)
        })
        .await;
    }
    page.until(cut).await;
    assert_eq!(slow.closed().await, Close::TooSlow);
    // Later it is no longer at the table either.
    page.until(|page| page.replica.state().unwrap().players().len() == 1)
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_fault_closes_the_lines_of_its_table() {
    let bench = Bench::new(Config::default());
    let mut page = Page::join(&bench, 1).await;
    page.until(|page| page.replica.state().is_some()).await;
    bench.inputs.send(Input::Fault).await.unwrap();
    assert!(bench.ended().await.unwrap_err().is_panic());
    while page.step().await {}
    // No reason was given: the connection says that the table was closed.
    assert_eq!(page.closed, Some(None));
}

#[tokio::test(start_paused = true)]
async fn stopping_closes_every_line() {
    let bench = Bench::new(Config::default());
    let page = Page::join(&bench, 1).await;
    tokio::task::yield_now().await;
    bench.stop.send_replace(true);
    assert_eq!(page.closed().await, Close::Restart);
    bench.ended().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_empty_table_is_forgotten_soon_and_a_deserted_match_later() {
    let config = || Config {
        forget_empty: Duration::from_secs(60),
        forget_abandoned: Duration::from_secs(600),
        ..Config::default()
    };
    let began = Instant::now();
    let bench = Bench::new(config());
    bench.ended().await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 60);

    // Somebody comes and goes: away for 15 seconds, then gone.
    let began = Instant::now();
    let bench = Bench::new(config());
    let mut page = Page::join(&bench, 1).await;
    page.until(|page| page.beats == 60).await;
    bench
        .inputs
        .send(Input::Gone { from: page.id })
        .await
        .unwrap();
    bench.ended().await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 120 + 60);

    // A match whose players are all away is paused and kept.
    let bench = Bench::new(config());
    let pages = four(&bench).await;
    for page in &pages {
        bench
            .inputs
            .send(Input::Gone { from: page.id })
            .await
            .unwrap();
    }
    let began = Instant::now();
    sleep(Duration::from_secs(500)).await;
    let mut back = Page::join(&bench, 1).await;
    back.until(|page| {
        page.replica
            .game()
            .is_some_and(|game| game.pause().is_none())
    })
    .await;
    assert_eq!(back.replica.game().unwrap().no(), MatchNo(1));
    bench
        .inputs
        .send(Input::Gone { from: back.id })
        .await
        .unwrap();
    bench.ended().await.unwrap();
    assert_eq!(began.elapsed().as_secs(), 500 + 3 + 600);
}

#[tokio::test(start_paused = true)]
async fn a_retired_line_speaks_for_nobody() {
    let bench = Bench::new(Config::default());
    let older = Page::join(&bench, 1).await;
    let mut newer = Page::join(&bench, 1).await;
    let (retired, stand) = (
        older.id,
        ClientMessage::Command {
            id: 1,
            command: Command::SetName("Mallory".to_owned()),
        },
    );
    older.say(stand).await;
    assert_eq!(older.closed().await, Close::Replaced);
    bench
        .inputs
        .send(Input::Gone { from: retired })
        .await
        .unwrap();
    newer.send(Command::Sit(Seat::AWhite)).await;
    newer.until(|page| page.replica.seat().is_some()).await;
    assert!(
        newer
            .replica
            .people()
            .iter()
            .all(|here| here.away_since.is_none())
    );
    assert_eq!(newer.replica.state().unwrap().players()[0].name, "");
}

#[tokio::test(start_paused = true)]
async fn while_nothing_can_be_put_on_record_play_stands_still_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, _) = Journal::open(folder.path(), Duration::from_secs(1)).unwrap();
    let code = TableCode::from_random(1);
    let log = journal.create(code, &Base::default()).unwrap();
    let full = Arc::clone(&log.full);
    let bench = Bench::with_origin(Config::default(), Origin::new(Record::new(Some(log), None)));
    let mut pages = four(&bench).await;
    let plies = |page: &Page| page.replica.game().unwrap().plies().len();
    full.store(true, Ordering::Release);
    let local = millis(pages[0].started.elapsed());
    let ply = pages[0].replica.play("e2e4".parse().unwrap(), local);
    pages[0].say(ply.unwrap()).await;
    let pages = all_until(pages, |page| page.replica.is_stuck()).await;
    assert!(pages.iter().all(|page| plies(page) == 0));
    // Nobody new comes in meanwhile, and those who are there stay, however long it takes.
    let (line, mut end) = line(Outbox::new(None));
    let replica = Replica::new(9);
    let ClientMessage::Hello(hello) = replica.hello(code, Token([9; 16]), "") else {
        panic!("no hello");
    };
    let hello = Input::Hello {
        hello: Box::new(hello),
        line,
    };
    bench.inputs.send(hello).await.unwrap();
    let beats = pages.each_ref().map(|page| page.beats);
    let mut pages = all_until(pages, move |page| page.beats > beats[0].max(beats[3]) + 20).await;
    assert_eq!(end.closing.try_recv(), Ok(Close::CannotSave));
    assert!(pages.iter().all(|page| plies(page) == 0 && !is_over(page)));
    // What a page asks for meanwhile is done afterwards, once.
    let no = pages[3].replica.game().unwrap().no();
    pages[3].send(Command::OfferDraw(no)).await;
    full.store(false, Ordering::Release);
    let pages = all_until(pages, |page| {
        let game = page.replica.game().unwrap();
        plies(page) == 1 && game.draw().is_some() && game.pause().is_none()
    })
    .await;
    for page in &pages {
        assert!(!page.replica.is_stuck() && page.replica.pending().is_none());
        let game = page.replica.game().unwrap();
        // The time in between is charged to nobody.
        assert!(game.clocks().left(Seat::BWhite, 0) > 29_000);
        assert!(game.match_time(millis(page.started.elapsed())) < 60_000);
    }
}
