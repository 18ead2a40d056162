import { useEffect, useRef, useState } from 'preact/hooks';
import { Loading, ProblemNote, request, useLoaded } from '../shared/index.js';
import { ChosenFiles, type ImportLimits } from './chosen-files.js';
import { ImportList } from './import-list.js';
import { finished } from './queue.js';

const readLimits = async (): Promise<ImportLimits> => (await request<ImportLimits>('imports')).body;

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Takes files that are dropped anywhere on the page. @returns whether files are being dragged over it */
const useDrop = (take: (files: readonly File[]) => void): boolean => {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const leave = new AbortController();
    const listen = (name: 'dragover' | 'dragleave' | 'drop', work: (event: DragEvent) => void): void =>
      document.addEventListener(
        name,
        (event) => {
          if (!hasFiles(event)) return;
          // Prevents the browser from opening the file instead of the page.
          event.preventDefault();
          work(event);
        },
        { signal: leave.signal },
      );
    listen('dragover', () => setOver(true));
    listen('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false));
    listen('drop', ({ dataTransfer }) => {
      setOver(false);
      latest.current([...dataTransfer!.files]);
    });
    return () => leave.abort();
  }, []);
  return over;
};

/** Imports audio files that the user chooses or drops. @param imported is called when the words of a file are stored */
export const ImportFiles = ({ imported }: { imported: () => void }) => {
  const limits = useLoaded('imports', readLimits);
  const [files, setFiles] = useState<readonly File[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const known = useRef(finished.value);
  const take = (chosen: readonly File[]): void => setFiles((before) => [...before, ...chosen]);
  const over = useDrop(take);
  useEffect(() => {
    if (finished.value > known.current) imported();
    known.current = finished.value;
  }, [finished.value]);
  const accepted = limits.value;
  const takesNone = accepted !== null && accepted.endings.length === 0;
  return (
    <section aria-label="Import audio files" class={over ? 'question' : undefined}>
      <p class="row">
        <button
          type="button"
          class="plain"
          ref={button}
          disabled={accepted === null || takesNone}
          onClick={() => field.current?.click()}
        >
          Import audio files
        </button>
        <span class="small">
          {over
            ? 'Drop the files here.'
            : takesNone
              ? 'This service cannot transcribe files.'
              : 'Or drop them on this page.'}
        </span>
      </p>
      {limits.problem !== null && <ProblemNote problem={limits.problem} retry={limits.reload} />}
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={accepted?.endings.map((ending) => `.${ending}`).join(',')}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          // Resets the field, so that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {files.length > 0 &&
        (accepted === null ? (
          <Loading />
        ) : (
          !takesNone && (
            <ChosenFiles
              files={files}
              limits={accepted}
              close={() => {
                setFiles([]);
                button.current?.focus();
              }}
            />
          )
        ))}
      <ImportList />
    </section>
  );
};
