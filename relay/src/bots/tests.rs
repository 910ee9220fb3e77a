//! The pool with work that does what a test wants of it.

use std::sync::mpsc as std_mpsc;

use super::*;

/// Work that does what a test wants of it.
#[derive(Clone)]
struct Errand {
    name: &'static str,
    /// A thread waits for a word here before it is done, so that others come to wait.
    gate: Option<Arc<Mutex<std_mpsc::Receiver<()>>>>,
    /// How often thinking fails.
    panics: usize,
    tries: Arc<AtomicUsize>,
}

impl Errand {
    fn plain(name: &'static str) -> Errand {
        Errand {
            name,
            gate: None,
            panics: 0,
            tries: Arc::default(),
        }
    }

    fn failing(name: &'static str, panics: usize) -> Errand {
        Errand {
            panics,
            ..Errand::plain(name)
        }
    }

    /// Holds its thread until the sender is used or dropped.
    fn held(name: &'static str) -> (Errand, std_mpsc::Sender<()>) {
        let (open, gate) = std_mpsc::channel();
        let errand = Errand {
            gate: Some(Arc::new(Mutex::new(gate))),
            ..Errand::plain(name)
        };
        (errand, open)
    }
}

impl Work for Errand {
    type Answer = (&'static str, u64);

    fn board(&self) -> BoardId {
        BoardId::B
    }

    fn think(self, waited_ms: u64) -> (&'static str, u64) {
        let tries = self.tries.fetch_add(1, Memory::Relaxed);
        if let Some(gate) = self.gate {
            let _ = gate.lock().unwrap().recv();
        }
        assert!(tries >= self.panics, "a fault was asked for");
        (self.name, waited_ms)
    }
}

/// For how long every errand has waited before it comes to the pool.
const WAITED: Duration = Duration::from_millis(20);

fn ask(
    pool: &Pool<Errand>,
    to: &mpsc::Sender<Box<Answer<Errand>>>,
    due: Instant,
    work: Errand,
) -> Result<(), Question<Errand>> {
    pool.ask(Question {
        work,
        due,
        asked_at: Instant::now() - WAITED,
        to: to.clone(),
    })
}

/// Has a thread busy until the sender is used or dropped.
async fn hold(
    pool: &Pool<Errand>,
    to: &mpsc::Sender<Box<Answer<Errand>>>,
    now: Instant,
) -> std_mpsc::Sender<()> {
    let (held, open) = Errand::held("held");
    let begun = Arc::clone(&held.tries);
    ask(pool, to, now, held).ok().unwrap();
    while begun.load(Memory::Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    open
}

fn pool(threads: usize) -> Arc<Pool<Errand>> {
    Pool::start(threads, 2).unwrap()
}

#[tokio::test]
async fn the_most_urgent_goes_first_and_knows_how_long_it_waited() {
    let pool = pool(1);
    let (to, mut answers) = mpsc::channel(8);
    let now = Instant::now();
    let open = hold(&pool, &to, now).await;
    let later = |seconds| now + Duration::from_secs(seconds);
    for (name, due) in [("c", 9), ("a", 2), ("d", 9), ("b", 5)] {
        ask(&pool, &to, later(due), Errand::plain(name))
            .ok()
            .unwrap();
    }
    drop(open);
    let mut names = Vec::new();
    for _ in 0..5 {
        let (name, waited_ms) = answers.recv().await.unwrap().unwrap();
        assert!((20..10_000).contains(&waited_ms), "{waited_ms}");
        names.push(name);
    }
    assert_eq!(names, ["held", "a", "b", "c", "d"]);
}

#[tokio::test]
async fn a_fault_is_tried_again_without_time_and_costs_no_thread() {
    let pool = pool(1);
    let (to, mut answers) = mpsc::channel(8);
    let now = Instant::now();
    for work in [
        Errand::failing("once", 1),
        Errand::failing("always", usize::MAX),
        Errand::plain("well"),
    ] {
        ask(&pool, &to, now, work).ok().unwrap();
    }
    assert_eq!(*answers.recv().await.unwrap(), Ok(("once", NO_TIME_LEFT)));
    let failed = Failed { board: BoardId::B };
    assert_eq!(*answers.recv().await.unwrap(), Err(failed));
    assert_eq!(answers.recv().await.unwrap().unwrap().0, "well");
}

#[tokio::test]
async fn what_nobody_waits_for_is_not_thought_about() {
    let pool = pool(1);
    let (to, mut answers) = mpsc::channel(1);
    let (held, open) = Errand::held("held");
    ask(&pool, &to, Instant::now(), held).ok().unwrap();
    let (gone, table) = mpsc::channel(1);
    let errand = Errand::plain("gone");
    let tries = Arc::clone(&errand.tries);
    ask(&pool, &gone, Instant::now(), errand).ok().unwrap();
    drop(table);
    drop(open);
    assert_eq!(answers.recv().await.unwrap().unwrap().0, "held");
    // One that came later has its answer, so the one before has been passed over.
    ask(&pool, &to, Instant::now(), Errand::plain("next"))
        .ok()
        .unwrap();
    assert_eq!(answers.recv().await.unwrap().unwrap().0, "next");
    assert_eq!(tries.load(Memory::Relaxed), 0);
}

#[tokio::test]
async fn a_full_table_holds_up_no_thread() {
    let pool = pool(1);
    let (full, mut answers) = mpsc::channel(1);
    let now = Instant::now();
    for name in ["kept", "lost"] {
        ask(&pool, &full, now, Errand::plain(name)).ok().unwrap();
    }
    let (other, mut others) = mpsc::channel(1);
    ask(&pool, &other, now, Errand::plain("other"))
        .ok()
        .unwrap();
    assert_eq!(others.recv().await.unwrap().unwrap().0, "other");
    assert_eq!(answers.recv().await.unwrap().unwrap().0, "kept");
}

#[tokio::test]
async fn the_queue_has_a_bound_and_stopping_empties_it() {
    let pool = pool(1);
    let (to, mut answers) = mpsc::channel(8);
    let now = Instant::now();
    let open = hold(&pool, &to, now).await;
    for _ in 0..limits::BOT_QUESTIONS {
        ask(&pool, &to, now, Errand::plain("waiting")).ok().unwrap();
    }
    let back = ask(&pool, &to, now, Errand::plain("one too many"));
    assert_eq!(back.unwrap_err().work.name, "one too many");
    pool.stop();
    drop(to);
    drop(open);
    pool.stopped().await;
    assert_eq!(answers.recv().await.unwrap().unwrap().0, "held");
    assert!(answers.recv().await.is_none());
}

#[tokio::test]
async fn places_are_bounded_and_come_back() {
    let pool = pool(2);
    let (mut a, mut b) = (pool.places(), pool.places());
    assert!(a.take_one() && a.take_one() && b.take_one() && b.take_one());
    assert!(!a.take_one() && !b.take_one());
    a.hold(1);
    assert!(b.take_one() && !b.take_one());
    drop(b);
    assert!(a.take_one() && a.take_one() && a.take_one() && !a.take_one());
    // Whoever comes back to a match gets the places, and the next has to wait for more of them.
    let mut back = pool.places();
    back.hold(2);
    a.hold(3);
    assert!(!a.take_one());
    a.hold(2);
    assert!(!a.take_one());
    a.hold(1);
    assert!(a.take_one());
    assert!(!Pool::<Errand>::start(0, 32).unwrap().places().take_one());
}
