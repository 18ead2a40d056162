import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { localTime, sizeIn } from '../importing/index.js';
import { queue } from './queue.js';

/** The limits of the service for imported files. */
export interface ImportLimits {
  /** Usual endings of the names of audio files; empty if the service imports no files. */
  readonly endings: readonly string[];
  readonly bytes: number;
  readonly seconds: number;
}

/** Returns the reason why a file is not sent; null for a file that is sent. */
const refusalOf = ({ size }: File, { bytes }: ImportLimits): string | null => {
  if (size === 0) return 'The file is empty.';
  if (size > bytes) return `The file has ${sizeIn(size)}. Cut it into files of at most ${sizeIn(bytes)}.`;
  return null;
};

/**
 * Asks when the recording of each chosen file began, and imports the files.
 * @param close is called when no file is left
 */
export const ChosenFiles = ({
  files,
  limits,
  close,
}: {
  files: readonly File[];
  limits: ImportLimits;
  close: () => void;
}) => {
  const now = localTime(Date.now());
  const [changed, setChanged] = useState<ReadonlyMap<File, string>>(new Map());
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  const startOf = (file: File): string =>
    changed.get(file) ?? localTime(Math.min(file.lastModified, Date.now()));
  const refusals = files.map((file) => refusalOf(file, limits));
  const sent = refusals.filter((refusal) => refusal === null).length;
  const begin = (): void => {
    queue.add(
      files.flatMap((file, at) =>
        refusals[at] === null ? [{ file, startedAt: new Date(startOf(file)).toISOString() }] : [],
      ),
    );
    close();
  };
  return (
    <form
      class="question"
      aria-label="Chosen files"
      onKeyDown={(event) => event.key === 'Escape' && close()}
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <p>
        When did each recording begin? The date of the file is offered. Many programs set it at the end of a
        recording.
      </p>
      <ul class="list">
        {files.map((file, at) => (
          <li key={at}>
            <bdi>{file.name}</bdi> <span class="small">{sizeIn(file.size)}</span>
            {refusals[at] === null ? (
              <label>
                {' '}
                began{' '}
                <input
                  type="datetime-local"
                  step="1"
                  required
                  max={now}
                  aria-label={`Begin of ${file.name}`}
                  value={startOf(file)}
                  onInput={({ currentTarget: { value } }) => setChanged(new Map(changed).set(file, value))}
                />
              </label>
            ) : (
              <p role="alert" class="note">
                {refusals[at]}
              </p>
            )}
          </li>
        ))}
      </ul>
      <p class="row">
        {sent > 0 && (
          <button type="submit" ref={button}>
            Import {sent === 1 ? 'one file' : `${sent} files`}
          </button>
        )}
        <button type="button" class="plain" ref={sent > 0 ? undefined : button} onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
};
