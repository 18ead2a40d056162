import ts from 'typescript';

/** A text that people read, and the line of its file where it begins. The first line is 1. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

const lineAt = (source: string, at: number): number => source.slice(0, at).split('\n').length;

const withoutMarks = (comment: string): string =>
  comment.startsWith('//')
    ? comment.replace(/^\/+ ?/, '')
    : comment
        .replace(/^\/\*+|\*+\/$/g, '')
        .split('\n')
        .map((line) => line.replace(/^\s*\* ?/, ''))
        .join('\n');

interface Range {
  readonly pos: number;
  readonly end: number;
}

/** Joins the comments of a source, in order. Line comments on consecutive lines become one text. */
const joined = (source: string, ranges: readonly Range[]): Text[] => {
  const texts: { line: number; text: string; end: number; isLine: boolean }[] = [];
  for (const { pos, end } of [...ranges].sort((a, b) => a.pos - b.pos)) {
    const comment = source.slice(pos, end);
    const isLine = comment.startsWith('//');
    const last = texts.at(-1);
    if (isLine && last?.isLine && /^[ \t]*\r?\n[ \t]*$/.test(source.slice(last.end, pos))) {
      last.text += `\n${withoutMarks(comment)}`;
      last.end = end;
    } else texts.push({ line: lineAt(source, pos), text: withoutMarks(comment), end, isLine });
  }
  return texts;
};

const parsed = (source: string, name: string): ts.SourceFile =>
  ts.createSourceFile(name, source, ts.ScriptTarget.Latest, false);

/** Returns the comments of TypeScript or JavaScript, including docstrings. @param name of the file; `.tsx` has elements */
export const commentsOfTypeScript = (source: string, name = 'source.ts'): Text[] => {
  const file = parsed(source, name);
  const ranges = new Map<number, Range>();
  const add = (found: readonly Range[] | undefined): void => {
    for (const range of found ?? []) ranges.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    // The text of an element has no comments, even if it has two slashes.
    if (ts.isJsxText(node)) return;
    add(ts.getLeadingCommentRanges(source, node.pos));
    add(ts.getTrailingCommentRanges(source, node.end));
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return joined(source, [...ranges.values()]);
};

/** Returns the comments of C++. Literals are skipped, because `//` in a string does not begin a comment. */
export const commentsOfCpp = (source: string): Text[] => {
  const tokens = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  const ranges = [...source.matchAll(tokens)]
    .filter(([token]) => token.startsWith('/'))
    .map(({ 0: token, index }) => ({ pos: index, end: index + token.length }));
  return joined(source, ranges);
};

/**
 * Returns the prose of a Markdown page: paragraphs, list items and table cells. Quotes, code blocks and generated lists
 * of files are left out.
 */
export const proseOfMarkdown = (source: string): Text[] => {
  let isQuoted = false;
  const paragraphs: { line: number; text: string }[] = [];
  let isOpen = false;
  for (const [index, line] of source.split('\n').entries()) {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isQuoted = !isQuoted;
    const isProse = !isFence && !isQuoted && !/^(\s*>|\s*$| {4,}\S.*[{};]$|<)/.test(line);
    const isNewItem = /^\s*([-*#|]|\d+\.)\s*/.test(line);
    if (!isProse) isOpen = false;
    else if (isOpen && !isNewItem) paragraphs.at(-1)!.text += `\n${line}`;
    else paragraphs.push({ line: index + 1, text: line });
    if (isProse) isOpen = true;
  }
  const isGenerated = /^\s*- files: /;
  return paragraphs.flatMap(({ line, text }) => {
    if (isGenerated.test(text)) return [];
    const plain = text.replace(/`[^`]*`/g, '`code`').replace(/\]\([^)]*\)/g, ']');
    return (plain.startsWith('|') ? plain.split('|') : [plain]).map((part) => ({ line, text: part.trim() }));
  });
};

/**
 * Returns identifiers and sentences in literals of TypeScript, and the texts of elements. Other literals are data, such
 * as patterns or spoken words.
 */
export const namesAndMessages = (source: string, name = 'source.ts'): Text[] => {
  const file = parsed(source, name);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    const isName = ts.isIdentifier(node) || ts.isPrivateIdentifier(node);
    const isSentence = ts.isStringLiteralLike(node) && /^[A-Z][^|\\]* .*[.!?]$/s.test(node.text);
    const isElementText = ts.isJsxText(node) && node.text.trim() !== '';
    if (isName || isSentence || isElementText)
      texts.push({ line: lineAt(source, node.getStart(file)), text: node.text });
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return texts;
};

/** Splits a text into sentences. A list item, a docstring tag and a blank line also end a sentence. */
export const sentencesOf = (text: string): string[] =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/\n\s*(?=[-*] |\d+\. |@|\n)/g, '\u0000')
    .split('\u0000')
    .flatMap((piece) =>
      piece.replace(/\s+/g, ' ').split(/(?<=[.!?][)"'`*]*) |(?<=[:;][)"'`*]*) (?=[A-Z`0-9"'(@*[-])/),
    )
    .filter((sentence) => sentence.trim() !== '');

export const wordsOf = (sentence: string): number =>
  sentence.split(' ').filter((word) => /[\p{L}\d]/u.test(word)).length;
