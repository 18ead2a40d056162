import { clockOf, Speaker } from '../shared/index.js';
import type { Segment } from '../stream/index.js';
import { memo } from './memo.js';
import { nameOf } from './names.js';

const Line = memo(({ segment, name }: { segment: Segment; name: string }) => (
  <li>
    <span class="time">{clockOf(segment.start)}</span>
    <Speaker id={segment.speaker_id} name={name} />
    <p>{segment.text}</p>
    {segment.translations.map(({ lang, text }) => (
      <p class="translation" lang={lang} key={lang}>
        {text}
      </p>
    ))}
  </li>
));

/** Number of segments in a block. A block without changes is not redrawn, so a long transcript costs little. */
const blockSize = 50;

const Block = memo(
  ({ segments, names }: { segments: readonly Segment[]; names: ReadonlyMap<string, string> }) => (
    <ol class="words">
      {segments.map((segment) => (
        <Line key={segment.id} segment={segment} name={nameOf(segment, names)} />
      ))}
    </ol>
  ),
  (before, next) =>
    before.names === next.names &&
    before.segments.length === next.segments.length &&
    before.segments.every((segment, at) => segment === next.segments[at]),
);

/** The words of a conversation. */
export const Words = ({
  segments,
  names,
}: {
  segments: readonly Segment[];
  names: ReadonlyMap<string, string>;
}) => {
  const blocks = Array.from({ length: Math.ceil(segments.length / blockSize) }, (_, at) =>
    segments.slice(at * blockSize, (at + 1) * blockSize),
  );
  return (
    <>
      {blocks.map((block, at) => (
        <Block key={at} segments={block} names={names} />
      ))}
    </>
  );
};
