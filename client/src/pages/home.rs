//! The start page.

use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::text;
use crate::ui::icon::{Icon, IconView};
use crate::ui::page::Page;

/// The picture beside the title.
const SCENE: &str = include_str!("../../assets/scene.svg");

/// Offers to open a table, or to join one by its code.
#[component]
pub fn Home() -> impl IntoView {
    crate::platform::page::set_title("Tandem");
    view! {
        <Page>
            <section class="hero" aria-labelledby="title">
                <div class="hero-words">
                    <h1 id="title">{text::home::TITLE}</h1>
                    <p class="lead">{text::home::LEAD}</p>
                    <div class="choices">
                        <OpenTable />
                    </div>
                </div>
                <svg
                    class="scene"
                    viewBox="0 0 500 396"
                    role="img"
                    aria-label=text::home::SCENE
                    inner_html=SCENE
                ></svg>
            </section>
            <div class="under">
                <JoinByCode />
            </div>
        </Page>
    }
}

/// Opens a fresh table.
#[component]
fn OpenTable() -> impl IntoView {
    let navigate = use_navigate();
    view! {
        <form
            class="choice primary"
            on:submit=move |event| {
                event.prevent_default();
                navigate("/t/new", Default::default());
            }
        >
            <span class="pic">
                <IconView icon=Icon::Link />
            </span>
            <button type="submit">{text::home::OPEN}</button>
            <small>{text::home::OPEN_HINT}</small>
            <span class="go">
                <IconView icon=Icon::Arrow />
            </span>
        </form>
    }
}

/// Goes to the table whose code is typed in.
#[component]
fn JoinByCode() -> impl IntoView {
    let navigate = use_navigate();
    let code = RwSignal::new(String::new());
    let wrong = RwSignal::new(false);
    let join = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        match read_code(&code.get_untracked()) {
            Some(code) => navigate(&format!("/t/{code}"), Default::default()),
            None => wrong.set(true),
        }
    };
    view! {
        <section aria-labelledby="join">
            <h2 id="join">{text::home::JOIN_TITLE}</h2>
            <form class="code-form" on:submit=join>
                <input
                    class="input"
                    aria-label=text::home::CODE
                    aria-invalid=move || wrong.get().then_some("true")
                    aria-describedby="code-wrong"
                    placeholder="K7QM-2D9PXR"
                    maxlength="16"
                    autocomplete="off"
                    autocapitalize="characters"
                    spellcheck="false"
                    on:input=move |event| {
                        code.set(event_target_value(&event));
                        wrong.set(false);
                    }
                />
                <button class="btn" type="submit">
                    {text::home::JOIN}
                </button>
            </form>
            <p class="wrong" id="code-wrong" role="alert">
                {move || wrong.get().then(|| text::home::CODE_WRONG())}
            </p>
        </section>
    }
}

/// The table code in what a person typed: letters and digits of Crockford's base 32, in which `O` is
/// read as 0, `I` and `L` as 1, and anything between is left out.
fn read_code(typed: &str) -> Option<String> {
    let mut code = String::new();
    for letter in typed
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '-')
    {
        code.push(match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            'U' => return None,
            letter if letter.is_ascii_alphanumeric() => letter,
            _ => return None,
        });
    }
    (code.len() == 10).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        assert_eq!(read_code("k7qm-2d9pxr").as_deref(), Some("K7QM2D9PXR"));
        assert_eq!(read_code(" K7QM 2DOPIL ").as_deref(), Some("K7QM2D0P11"));
        for wrong in ["", "K7QM", "K7QM2D9PXRR", "K7QM2D9PXU", "K7QM2D9PXé"] {
            assert_eq!(read_code(wrong), None, "{wrong}");
        }
    }
}
