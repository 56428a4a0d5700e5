// The text editor of the page: a small API over CodeMirror 6, bundled into static/vendor/editor.js by
// `cargo xtask test` and `npm run bundle`. The page imports it lazily and calls only `mount`.
// All positions are UTF-16 offsets into the text.
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import * as cm from "@codemirror/view";
import { cfa } from "./cfa.js";
import { hoa } from "./hoa.js";
import { smtlib } from "./smtlib.js";
import { theme } from "./theme.js";

const { Decoration, EditorView } = cm;

// Marks a change made by the page, which must not be reported to it as an edit.
const fromPage = Annotation.define();
const setHighlights = StateEffect.define();

// Decorated ranges (the current step's text); they move with edits until the page sends new ones.
const highlights = StateField.define({
  create: () => Decoration.none,
  update(old, transaction) {
    const moved = old.map(transaction.changes);
    return transaction.effects.reduce((now, effect) => (effect.is(setHighlights) ? effect.value : now), moved);
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Clamps a range (of an older text, say) to the current text.
function clamp(doc, from, to) {
  const start = Math.max(0, Math.min(Number(from) || 0, doc.length));
  const end = Math.max(start, Math.min(Number(to) || 0, doc.length));
  return { from: start, to: end };
}

function decorations(doc, ranges) {
  const marks = ranges
    .map((range) => ({ ...clamp(doc, range.from, range.to), cls: range.cls }))
    .filter((range) => range.from < range.to)
    .map((range) => Decoration.mark({ class: range.cls }).range(range.from, range.to));
  return Decoration.set(marks, true);
}

const languages = { cfa, hoa, smtlib };

const extensions = [
  cm.lineNumbers(),
  lintGutter(),
  history(),
  cm.drawSelection(),
  cm.highlightActiveLine(),
  cm.highlightActiveLineGutter(),
  bracketMatching(),
  indentUnit.of("    "),
  EditorState.tabSize.of(4),
  EditorView.lineWrapping,
  theme,
  highlights,
];

// Tab indents only after Escape was not pressed: CodeMirror lets Escape, then Tab, leave the editor.
const keys = cm.keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]);

function permissions(readOnly) {
  return [EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)];
}

/** Puts an editor into `host`. `onChange` is called for the user's edits only, not for `setDoc`. */
export function mount(host, { doc = "", readOnly = false, ariaLabel = "Model text", language = "cfa", onChange } = {}) {
  const access = new Compartment();
  let cursorListener = null;
  const listener = EditorView.updateListener.of((update) => {
    const ours = update.transactions.some((transaction) => transaction.annotation(fromPage));
    if (update.docChanged && !ours && onChange) onChange(update.state.doc.toString());
    if (update.selectionSet && !ours && cursorListener) cursorListener(update.state.selection.main.head);
  });
  const label = EditorView.contentAttributes.of({ "aria-label": ariaLabel, spellcheck: "false", tabindex: "0" });
  const all = [languages[language] ?? [], extensions, keys, label, listener, access.of(permissions(readOnly))];
  const started = (doc) => EditorState.create({ doc, extensions: all });
  const view = new EditorView({ state: started(doc), parent: host });
  return {
    /** Another text, with a history of its own, from its beginning (nothing happens when it is the same already). */
    setDoc(text) {
      if (text === view.state.doc.toString()) return;
      view.setState(started(text));
      view.dispatch({ effects: EditorView.scrollIntoView(0, { y: "start" }), annotations: fromPage.of(true) });
    },
    /** Carries out lists of changes `[{from, to, insert}]`, each for the text after those before it, as one edit. */
    change(lists) {
      view.dispatch(...lists.map((changes) => ({ changes, sequential: true, userEvent: "input.draw" })));
    },
    undo: () => undo(view),
    redo: () => redo(view),
    getDoc: () => view.state.doc.toString(),
    /** Shows `[{from, to, severity, message}]`; severity is `error`, `warning` or `info`. */
    setDiagnostics(list) {
      const placed = list.map((one) => ({ ...one, ...clamp(view.state.doc, one.from, one.to) }));
      view.dispatch(setDiagnostics(view.state, placed));
    },
    /** Selects a range and scrolls it into view; the focus stays where it is. */
    select(from, to) {
      const range = clamp(view.state.doc, from, to);
      const selection = { anchor: range.from, head: range.to };
      const effects = EditorView.scrollIntoView(range.from, { y: "center" });
      view.dispatch({ selection, effects, annotations: fromPage.of(true) });
    },
    /** Scrolls a range into view and changes nothing else; not while the user is in the text. */
    reveal(from, to) {
      if (view.hasFocus) return;
      const range = clamp(view.state.doc, from, to);
      view.dispatch({ effects: EditorView.scrollIntoView(range.from, { y: "nearest", yMargin: 48 }) });
    },
    /** Decorates `[{from, to, cls}]`, replacing the earlier ones. */
    highlight(ranges) {
      view.dispatch({ effects: setHighlights.of(decorations(view.state.doc, ranges)) });
    },
    /** Calls back with the cursor's offset whenever the user moves it. */
    onCursor(callback) {
      cursorListener = callback;
    },
    setReadOnly(value) {
      view.dispatch({ effects: access.reconfigure(permissions(value)) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
