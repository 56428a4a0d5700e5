// A highlighter for SMT-LIB scripts. It only colours tokens; the parser is in `solver-lite`.
import { StreamLanguage } from "@codemirror/language";

const words = (text) => new Set(text.split(" "));
const COMMANDS = words(
  "assert check-sat check-sat-assuming declare-const declare-fun define-fun define-const define-sort echo exit " +
    "get-assertions get-assignment get-info get-interpolants get-model get-option get-proof get-unsat-assumptions " +
    "get-unsat-core get-value pop push reset reset-assertions set-info set-logic set-option",
);
const OPERATORS = words("and or not => xor = distinct ite let ! + - * / div mod abs <= < >= > to_real to_int is_int");
const TYPES = words("Bool Int Real");

export const smtlib = StreamLanguage.define({
  name: "smtlib",
  startState: () => ({ quoted: null }),
  token(stream, state) {
    if (state.quoted) return quoted(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match(";")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match('"') || stream.match("|")) {
      state.quoted = stream.current();
      return quoted(stream, state);
    }
    if (stream.match(/^[()]/)) return "punctuation";
    if (stream.match(/^:[^\s()]+/)) return "atom";
    if (stream.match(/^(?:\d+(?:\.\d+)?|#x[0-9a-fA-F]+|#b[01]+)(?=[\s()]|$)/)) return "number";
    if (!stream.match(/^[^\s()";|]+/)) stream.next();
    const text = stream.current();
    if (COMMANDS.has(text)) return "keyword";
    if (OPERATORS.has(text)) return "operatorKeyword";
    if (TYPES.has(text)) return "typeName";
    if (text === "true" || text === "false") return "atom";
    return "variableName";
  },
  languageData: { commentTokens: { line: ";" }, closeBrackets: { brackets: ["("] } },
});

function quoted(stream, state) {
  const kind = state.quoted === "|" ? "variableName" : "string";
  if (stream.skipTo(state.quoted)) {
    stream.next();
    state.quoted = null;
  } else {
    stream.skipToEnd();
  }
  return kind;
}
