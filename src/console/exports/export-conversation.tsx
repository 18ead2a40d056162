import { useRef, useState } from 'preact/hooks';
import { asProblem, type Problem, ProblemNote } from '../shared/index.js';
import { readFile, save } from './file.js';

const formats = [
  ['txt', 'Text'],
  ['md', 'Markdown'],
  ['srt', 'Subtitles (SRT)'],
  ['vtt', 'Subtitles (WebVTT)'],
  ['json', 'JSON'],
] as const;

type Format = (typeof formats)[number][0];

/** A menu that saves the conversation as a file. @param id of the conversation */
export const ExportConversation = ({ id }: { id: string }) => {
  const [problem, setProblem] = useState<{ error: Problem; format: Format } | null>(null);
  const [reading, setReading] = useState<Format | null>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  const closeMenu = (): void => {
    menu.current?.removeAttribute('open');
    menu.current?.querySelector('summary')?.focus();
  };
  const exported = async (format: Format): Promise<void> => {
    // Closes the menu, because it would cover a note about a problem.
    closeMenu();
    setReading(format);
    setProblem(null);
    try {
      const path = `conversations/${encodeURIComponent(id)}/export?format=${format}`;
      save(await readFile(path, `conversation.${format}`));
    } catch (error) {
      setProblem({ error: asProblem(error), format });
    }
    setReading(null);
  };
  return (
    <>
      <details
        class="menu"
        ref={menu}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && menu.current?.open) closeMenu();
        }}
      >
        <summary>Export</summary>
        <ul class="list">
          {formats.map(([format, title]) => (
            <li key={format}>
              <button
                type="button"
                class="plain"
                disabled={reading !== null}
                onClick={() => void exported(format)}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </details>
      <span role="status" class="small">
        {reading !== null && 'Reading the file…'}
      </span>
      {problem !== null && (
        <ProblemNote problem={problem.error} retry={() => void exported(problem.format)} />
      )}
    </>
  );
};
