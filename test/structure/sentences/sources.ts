import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { generatedFiles } from '../lines/lines.js';
import {
  commentsOfCpp,
  commentsOfTypeScript,
  namesAndMessages,
  proseOfMarkdown,
  type Text,
} from './texts.js';

const checkout = packageDirectory();

/** A file of the repository and its text. */
export interface Source {
  readonly path: string;
  readonly source: string;
}

/** Matches paths of packages and of build results. */
const made = /(^|\/)(node_modules|dist|build)\//;
const generated: ReadonlySet<string> = new Set(generatedFiles.map((file) => `src/${file}`));

const filesOf = (path: string): string[] =>
  statSync(join(checkout, path)).isFile()
    ? [path]
    : readdirSync(join(checkout, path), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(path, name).split(sep).join('/'),
      );

/**
 * Returns the files whose paths match the pattern. `places` are folders or files of the repository. Generated files
 * are left out.
 */
export const sourcesOf = (places: readonly string[], pattern: RegExp): Source[] =>
  places
    .flatMap(filesOf)
    .filter((path) => pattern.test(path) && !made.test(path) && !generated.has(path))
    .map((path) => ({ path, source: readFileSync(join(checkout, path), 'utf8') }));

/** Names of the pages at the top of the repository. */
export const topPages: readonly string[] = readdirSync(checkout).filter((name) => /^[A-Z]+\.md$/.test(name));

const isTypeScript = /\.(tsx?|mjs|js)$/;
const isCpp = /\.(cc|c|h|inc)$/;

export const commentsOf = ({ path, source }: Source): Text[] => {
  if (isTypeScript.test(path)) return commentsOfTypeScript(source, path);
  return isCpp.test(path) ? commentsOfCpp(source) : [];
};

/**
 * Returns the readable texts of a file. These are comments, names and messages of code, the prose of a page, or each
 * line of another file.
 */
export const readTextsOf = (file: Source): Text[] => {
  if (isTypeScript.test(file.path)) return [...commentsOf(file), ...namesAndMessages(file.source, file.path)];
  if (file.path.endsWith('.md')) return proseOfMarkdown(file.source);
  return file.source.split('\n').map((text, index) => ({ line: index + 1, text }));
};
