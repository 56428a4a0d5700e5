// A highlighter for the text of control flow automata (Theta's .cfa and PLCverif's dialect of it).
// It only colours tokens; the parser is in `core`.
import { StreamLanguage } from "@codemirror/language";

const words = (text) => new Set(text.split(" "));
const KEYWORDS = words("main process init final error loc assume havoc if then else return call specification property automaton net place transition unless layout system const control for in predicate input skip raise send");
// Words of statecharts, which begin a line.
const LINES = words("chart state region history deep entry exit on after always done event internal queue initial component channel");
const TYPES = words("var bool int rat bv fp array");
const ATOMS = words("true false");
const OPERATORS = words("and or not imply iff xor mod rem div forall exists default");
const SYMBOLS = /^(?::=|->|<-|<=|>=|\/=|!=|==|&&|\|\||=>|[-+*/%=<>!&|^~?])/;

function blockComment(stream, state) {
  state.inComment = !stream.skipTo("*/");
  if (state.inComment) stream.skipToEnd();
  else stream.match("*/");
  return "comment";
}

function word(stream) {
  const begins = stream.string.slice(0, stream.pos).trim() === "";
  const text = stream.match(/^[A-Za-z_$][\w$]*/)[0];
  if (begins && LINES.has(text)) return "keyword";
  if (KEYWORDS.has(text)) return "keyword";
  if (TYPES.has(text)) return "typeName";
  if (ATOMS.has(text)) return "atom";
  if (OPERATORS.has(text) || /^(?:bv|fp)[a-z]+$/.test(text)) return "operatorKeyword";
  return "variableName";
}

export const cfa = StreamLanguage.define({
  name: "cfa",
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment) return blockComment(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) return blockComment(stream, state);
    if (stream.match(/^\d+(?:'[bdx][0-9a-fA-F]+|%\d+)?/)) return "number";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (/[A-Za-z_$]/.test(stream.peek())) return word(stream);
    if (stream.match(SYMBOLS)) return "operator";
    stream.next();
    return "punctuation";
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{"] },
  },
});
