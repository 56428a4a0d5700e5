// The editor's theme. Every colour is a custom property of the page (--vs-editor-*), so dark and light
// follow the page without a call to the editor; the values here are only the fall-backs.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const v = (name, light, dark) => `var(--vs-editor-${name}, light-dark(${light}, ${dark}))`;

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: v("keyword", "#7a1fa2", "#d7a6f5") },
  { tag: tags.typeName, color: v("type", "#00607a", "#7fd3ea") },
  { tag: tags.atom, color: v("atom", "#9a3b00", "#f2b48a") },
  { tag: tags.number, color: v("number", "#9a3b00", "#f2b48a") },
  { tag: tags.string, color: v("string", "#1b6b2f", "#98dba9") },
  { tag: tags.comment, color: v("comment", "#5b6472", "#a2abba"), fontStyle: "italic" },
  { tag: [tags.operator, tags.punctuation], color: v("operator", "#3a4350", "#c3cad6") },
]);

const underline = (colour) => ({
  backgroundImage: "none",
  textDecoration: `underline wavy ${colour}`,
  textUnderlineOffset: "3px",
  paddingBottom: "0",
});

const look = EditorView.theme({
  "&": {
    height: "100%",
    color: v("text", "#1c232d", "#e4e8ef"),
    backgroundColor: v("background", "#ffffff", "#14181f"),
    fontSize: "var(--vs-editor-size, 13px)",
  },
  "&.cm-focused": { outline: `2px solid ${v("focus", "#2f6feb", "#79a8ff")}`, outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--vs-editor-font, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace)", lineHeight: "1.55" },
  ".cm-content": { caretColor: v("caret", "#1c232d", "#e4e8ef") },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: v("caret", "#1c232d", "#e4e8ef") },
  ".cm-gutters": {
    color: v("gutter-text", "#5b6472", "#a2abba"),
    backgroundColor: v("gutter", "#f5f6f8", "#1a1f28"),
    borderRight: `1px solid ${v("border", "#dde1e7", "#2c3440")}`,
  },
  ".cm-activeLine": { backgroundColor: v("line", "#2f6feb0d", "#79a8ff12") },
  ".cm-activeLineGutter": { backgroundColor: v("line", "#2f6feb0d", "#79a8ff12"), color: v("text", "#1c232d", "#e4e8ef") },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: v("selection", "#bcd6ff", "#2d4a7a"),
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: v("bracket", "#cdeed6", "#24482f"),
    outline: "none",
  },
  ".cm-lintRange-error": underline(v("error", "#c62828", "#ff8a80")),
  ".cm-lintRange-warning": underline(v("warning", "#9a6700", "#f0c36d")),
  ".cm-lintRange-info": underline(v("info", "#2f6feb", "#79a8ff")),
  ".cm-tooltip": {
    color: v("text", "#1c232d", "#e4e8ef"),
    backgroundColor: v("gutter", "#f5f6f8", "#1a1f28"),
    border: `1px solid ${v("border", "#dde1e7", "#2c3440")}`,
    borderRadius: "6px",
  },
  ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap" },
});

export const theme = [look, syntaxHighlighting(highlight)];
