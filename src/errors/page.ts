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
    'This page lists every error of the program. It is made from `src/errors/registry.ts` by',
    '`node dist/src/errors/page.js > docs/errors.md`; a test keeps page and code equal. A word in braces, such as `{seconds}`, stands',
    'for a value. The columns have these meanings:',
    '',
    '- `HTTP`, `JSON-RPC` and `close` are the status of a REST answer, the code of a tool server answer and the close code of a',
    '  WebSocket. An empty cell means that the error does not occur there.',
    '- `retry`: `yes` means that the same request can succeed later.',
    '- `message`: REST sends it as `detail`, and a WebSocket close has it as its reason. The command line prints message and remedy.',
    '',
    '| code | HTTP | JSON-RPC | close | retry | message | remedy |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
};

if (process.argv[1] === new URL(import.meta.url).pathname) process.stdout.write(errorsPage());
