// A highlighter for the Hanoi omega-automata format. It only colours tokens; the parser is in `core`.
import { StreamLanguage } from "@codemirror/language";

export const hoa = StreamLanguage.define({
  name: "hoa",
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match("/*")) {
      state.inComment = !stream.skipTo("*/");
      if (state.inComment) stream.skipToEnd();
      else stream.match("*/");
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^--[A-Z-]*/) || stream.match(/^[A-Za-z_][\w-]*:/)) return "keyword";
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^@[\w-]+/)) return "variableName";
    if (stream.match(/^[tf](?![\w-])/)) return "atom";
    if (stream.match(/^[A-Za-z_][\w-]*/)) return "typeName";
    if (stream.match(/^[!&|]/)) return "operator";
    stream.next();
    return "punctuation";
  },
  languageData: {
    commentTokens: { block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
  },
});
