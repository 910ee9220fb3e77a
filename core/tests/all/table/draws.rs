//! Draw offers, step by step.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn a_draw_needs_everyone() {
    let mut four = Four::playing();
    let no = four.no();
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    four.play(A, "e4").unwrap();
    four.ask(ABlack, Command::AcceptDraw(no)).unwrap();
    // Somebody away has not agreed; offering as well is agreeing.
    four.ask(BWhite, Command::OfferDraw(no)).unwrap();
    four.ask(BWhite, Command::AcceptDraw(no)).unwrap();
    assert_eq!(four.table.state().phase(), Phase::Playing);
    four.ask(BBlack, Command::AcceptDraw(no)).unwrap();
    assert_eq!(four.end(), (EndRule::Agreement, None));
    let ended = four.events().pop();
    assert!(matches!(ended, Some(Event::Ended(_))));
}

#[test]
fn an_offer_is_declined_withdrawn_or_lapses_and_then_there_is_a_wait() {
    let mut four = Four::playing();
    let no = four.no();
    assert_eq!(
        four.ask(ABlack, Command::AcceptDraw(no)),
        Err(Refusal::NoOffer)
    );
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    assert_eq!(
        four.ask(AWhite, Command::DeclineDraw(no)),
        Err(Refusal::NoOffer)
    );
    assert_eq!(
        four.ask(ABlack, Command::WithdrawDraw(no)),
        Err(Refusal::NoOffer)
    );
    four.ask(BBlack, Command::DeclineDraw(no)).unwrap();
    assert_eq!(
        four.events().last(),
        Some(&Event::DrawClosed(DrawClosed::Declined(BBlack)))
    );
    assert_eq!(
        four.ask(AWhite, Command::OfferDraw(no)),
        Err(Refusal::OfferTooSoon)
    );
    // Another player need not wait.
    four.ask(BWhite, Command::OfferDraw(no)).unwrap();
    four.ask(BWhite, Command::WithdrawDraw(no)).unwrap();
    four.wait(DRAW_AGAIN_MS);
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    four.wait(DRAW_OFFER_MS - 1);
    assert!(four.table.state().game().unwrap().draw().is_some());
    four.wait(1);
    assert!(four.table.state().game().unwrap().draw().is_none());
    assert_eq!(
        four.events().last(),
        Some(&Event::DrawClosed(DrawClosed::Lapsed))
    );
}

#[test]
fn a_thousand_offers_change_nothing() {
    let mut four = Four::playing();
    let no = four.no();
    four.ask(AWhite, Command::OfferDraw(no)).unwrap();
    four.ask(BBlack, Command::DeclineDraw(no)).unwrap();
    let before = four.table.state().clone();
    let refused = four.table.refused();
    for _ in 0..1_000 {
        assert_eq!(
            four.ask(AWhite, Command::OfferDraw(no)),
            Err(Refusal::OfferTooSoon)
        );
        assert_eq!(
            four.ask(AWhite, Command::Resign(MatchNo(7))),
            Err(Refusal::NoMatch)
        );
    }
    assert_eq!(&before, four.table.state());
    assert_eq!(four.table.refused(), refused + 2_000, "each is counted");
}
