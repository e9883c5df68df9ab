const lineAt = (text: string, end: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};

/** The line of a syntax error of `JSON.parse`; the last one where an engine does not tell. */
export const lineOfSyntaxError = (text: string, error: unknown): number => {
  const message = error instanceof Error ? error.message : '';
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  return lineAt(text, position === undefined ? text.trimEnd().length : Number(position));
};

/** Strings, and what structures a JSON text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:\n]/g;

/** The line on which an element of a list begins. @param member of the object that the text is; its value is the list */
export const lineOfElement = (text: string, member: string, index: number): number => {
  let [depth, line, count, key, lastText] = [0, 1, -1, '', ''];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') line += 1;
    else if (token === ':') key = depth === 1 ? lastText : key;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === '{' || token === '[') {
      if (depth === 2 && key === member) count += 1;
      if (count === index) return line;
      depth += 1;
    } else lastText = token.slice(1, -1);
  }
  return line;
};
