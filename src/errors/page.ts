import type { ErrorEntry } from './registry.js';
import { errorRegistry } from './registry.js';

const cell = (value: string | number | undefined): string =>
  value === undefined ? '' : String(value).replace(/\|/g, '\\|');

/** Returns the text of `docs/errors.md`, made from the registry. */
export const errorsPage = (): string => {
  const rows = Object.entries(errorRegistry as Record<string, ErrorEntry>).map(
    ([code, { message, remedy, http, rpc, close, retryable }]) =>
      `| \`${code}\` | ${cell(http)} | ${cell(rpc)} | ${cell(close)} | ${retryable ? 'yes' : ''} | ${cell(message)} | ${cell(remedy)} |`,
  );
  return [
    '# Errors',
    '',
    'This page is made from `src/errors/registry.ts` by `node dist/src/errors/page.js > docs/errors.md`; a test keeps the',
    'two equal. REST bodies carry the message as `detail`, a WebSocket close carries it as its reason, and the command line',
    'prints the message and the remedy on one line.',
    '',
    '| code | HTTP | JSON-RPC | close | retry | message | remedy |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
};

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(errorsPage());
