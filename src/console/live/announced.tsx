import { useRef } from 'preact/hooks';
import type { Segment } from '../stream/index.js';
import { nameOf } from './names.js';

/**
 * Says finished segments to screen readers, each once. A segment counts as finished when another one follows it, or when the
 * recording is over.
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
  const said = useRef(new Map<string, string>());
  for (const segment of isOver ? segments : segments.slice(0, -1)) {
    if (!said.current.has(segment.id))
      said.current.set(segment.id, `${nameOf(segment, names)}: ${segment.text}`);
  }
  return (
    <div role="log" aria-label="Finished sentences" class="unseen">
      {[...said.current].slice(-20).map(([id, text]) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
};
