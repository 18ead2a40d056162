import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  commentsOfCpp,
  commentsOfTypeScript,
  namesAndMessages,
  proseOfMarkdown,
  type Text,
} from './texts.js';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');

/** A file of the repository and its text. */
export interface Source {
  readonly path: string;
  readonly source: string;
}

/** Made by a program from texts that are read elsewhere. */
const generated = /^src\/client\/description\.ts$/;

/** Files of the repository that match a pattern, without generated ones. */
export const sourcesOf = (pattern: RegExp): Source[] =>
  execFileSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8', maxBuffer: 1 << 24 })
    .split('\n')
    .filter((path) => pattern.test(path) && !generated.test(path))
    .map((path) => ({ path, source: readFileSync(join(checkout, path), 'utf8') }));

const isTypeScript = /\.(ts|mjs|js)$/;
const isCpp = /\.(cc|c|h|inc)$/;

export const commentsOf = ({ path, source }: Source): Text[] => {
  if (isTypeScript.test(path)) return commentsOfTypeScript(source);
  return isCpp.test(path) ? commentsOfCpp(source) : [];
};

/** All that people read of a file: comments, names, messages; the prose of a page; the whole text of other files. */
export const readTextsOf = (file: Source): Text[] => {
  if (isTypeScript.test(file.path)) return [...commentsOf(file), ...namesAndMessages(file.source)];
  if (file.path.endsWith('.md')) return proseOfMarkdown(file.source);
  return file.source.split('\n').map((text, index) => ({ line: index + 1, text }));
};
