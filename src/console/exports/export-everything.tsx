import { useEffect, useRef, useState } from 'preact/hooks';
import { Everything, type ExportState } from '../lines/index.js';
import { Problem, ProblemNote } from '../shared/index.js';
import { nameIn, open, save } from './file.js';

/** One export that runs until it is saved or cancelled. */
interface Running {
  readonly everything: Everything;
  readonly leave: AbortController;
  name: string;
}

const cancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/**
 * Whether an error is permanent, so that a retry cannot help: the session has ended, or the service refuses the
 * request.
 */
const isFinal = (error: unknown): boolean =>
  cancelled(error) ||
  (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429);

const begin = (changed: (state: ExportState) => void): Running => {
  const leave = new AbortController();
  const { signal } = leave;
  async function* read(after: string | undefined): AsyncGenerator<string, void, undefined> {
    const answer = await open(after === undefined ? 'export' : `export?after=${after}`, signal);
    running.name = nameIn(answer.headers.get('content-disposition'), running.name);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  const everything = new Everything({ read, wait, isFinal, changed });
  const running: Running = { everything, leave, name: 'cochlea.jsonl' };
  return running;
};

/** A button that saves all records of the user in one file. */
export const ExportEverything = () => {
  const [state, setState] = useState<ExportState | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [saved, setSaved] = useState('');
  const running = useRef<Running | null>(null);
  useEffect(() => () => running.current?.leave.abort(), []);
  const end = (): void => {
    running.current?.leave.abort();
    running.current = null;
    setState(null);
    setProblem(null);
  };
  const run = async (): Promise<void> => {
    setProblem(null);
    setSaved('');
    running.current ??= begin(setState);
    const { everything, leave } = running.current;
    setState((before) => before ?? { lines: 0, bytes: 0 });
    try {
      const blob = await everything.run();
      if (leave.signal.aborted) return;
      save({ name: running.current.name, blob });
      setSaved(running.current.name);
      end();
    } catch (error) {
      if (leave.signal.aborted) return;
      setProblem(error instanceof Problem ? error : new Problem(0, (error as Error).message));
    }
  };
  return (
    <section aria-labelledby="everything">
      <h2 id="everything">Export everything</h2>
      <p class="small">
        One file with all conversations, people, memories, tasks, goals and folders. Each line is a record in
        JSON.
      </p>
      <p class="row">
        {state === null ? (
          <button type="button" class="plain" onClick={() => void run()}>
            Export everything
          </button>
        ) : (
          <button type="button" class="plain" onClick={end}>
            Cancel the export
          </button>
        )}
        <span role="status" class="small">
          {state !== null && `${state.lines} records, ${(state.bytes / 1_000_000).toFixed(1)} MB`}
          {saved !== '' && `Saved as ${saved}`}
        </span>
      </p>
      {problem !== null && <ProblemNote problem={problem} retry={() => void run()} />}
    </section>
  );
};
