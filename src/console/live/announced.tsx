import { useRef } from 'preact/hooks';
import type { Segment } from '../stream/index.js';
import { nameOf } from './names.js';

/** Number of the latest segments that are checked. Earlier segments were announced before. */
const looked = 200;
/** Number of announced sentences that stay in the page. */
const shown = 20;

/**
 * Announces each finished segment to screen readers once. A segment counts as finished when another segment follows it,
 * or when the recording is over.
 */
export const Announced = ({
  segments,
  names,
  isOver,
}: {
  segments: readonly Segment[];
  names: ReadonlyMap<string, string>;
  isOver: boolean;
}) => {
  const said = useRef(new Set<string>());
  const list = useRef<{ readonly id: string; readonly text: string }[]>([]);
  for (const segment of segments.slice(-looked, isOver ? undefined : -1)) {
    if (said.current.has(segment.id)) continue;
    said.current.add(segment.id);
    list.current = [
      ...list.current.slice(1 - shown),
      { id: segment.id, text: `${nameOf(segment, names)}: ${segment.text}` },
    ];
  }
  if (said.current.size > 2 * looked)
    said.current = new Set(segments.slice(-looked).flatMap(({ id }) => (said.current.has(id) ? [id] : [])));
  return (
    <div role="log" aria-label="Finished sentences" class="unseen">
      {list.current.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
};
