import { clockOf, Speaker, speakerClass } from '../shared/index.js';
import { identityOf } from './rows.js';
import type { TranscriptState } from './transcript-state.js';

const [width, rowHeight] = [1000, 14];
/** Maximum number of speakers with a row of their own in the picture. The table has all speakers. */
const mostRows = 8;

interface Spoken {
  readonly mark: number;
  readonly name: string;
  readonly parts: { readonly start: number; end: number }[];
  segments: number;
  seconds: number;
}

/** Maximum pause in seconds between two segments of a speaker that are drawn as one. */
const pause = 1;

/** Collects the times at which each speaker speaks. */
const spokenIn = (state: TranscriptState): Spoken[] => {
  void state.speakersChanged.value;
  const spoken = new Map<string, Spoken>();
  for (const { segment } of state.rows.value) {
    const { start, end, speaker_name, ...said } = segment.peek();
    const identity = identityOf({ start, end, speaker_name, ...said });
    let own = spoken.get(identity);
    if (own === undefined) {
      own = {
        mark: state.marks.value.get(identity) ?? 0,
        name: speaker_name,
        parts: [],
        segments: 0,
        seconds: 0,
      };
      spoken.set(identity, own);
    }
    own.segments++;
    own.seconds += Math.max(0, end - start);
    const last = own.parts.at(-1);
    if (last && start - last.end <= pause) last.end = Math.max(last.end, end);
    else own.parts.push({ start, end });
  }
  return [...spoken.values()];
};

/**
 * Returns the path that draws when a speaker speaks. One path has all parts, because a conversation may have thousands
 * of parts.
 */
const pathOf = (parts: Spoken['parts'], row: number, length: number): string => {
  const x = (seconds: number): string => ((seconds / length) * width).toFixed(1);
  return parts
    .map(({ start, end }) => {
      const wide = Math.max(1, ((end - start) / length) * width).toFixed(1);
      return `M${x(start)} ${row * rowHeight + 2}h${wide}v${rowHeight - 4}h-${wide}z`;
    })
    .join('');
};

/** Draws who speaks when. A table has the same information. */
export const Timeline = ({ state }: { state: TranscriptState }) => {
  const spoken = spokenIn(state);
  if (spoken.length === 0) return null;
  const all = spoken.reduce((sum, { seconds }) => sum + seconds, 0) || 1;
  const length = spoken.flatMap(({ parts }) => parts).reduce((last, { end }) => Math.max(last, end), 1);
  const shown = spoken.slice(0, mostRows);
  return (
    <figure class="timeline">
      <svg
        viewBox={`0 0 ${width} ${shown.length * rowHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Who speaks when, of ${clockOf(length)}. The table below has the shares.`}
      >
        {shown.map(({ mark, parts }, row) => (
          <path key={mark} class={speakerClass(mark)} d={pathOf(parts, row, length)} />
        ))}
      </svg>
      <details>
        <summary>Speakers ({spoken.length})</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Speaker</th>
              <th scope="col">Share</th>
              <th scope="col">Time</th>
              <th scope="col">Segments</th>
            </tr>
          </thead>
          <tbody>
            {spoken.map(({ mark, name, seconds, segments }) => (
              <tr key={mark}>
                <th scope="row">
                  <Speaker id={mark} name={name} />
                </th>
                <td>{Math.round((seconds / all) * 100)} %</td>
                <td>{clockOf(seconds)}</td>
                <td>{segments}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};
