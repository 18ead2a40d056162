/** Draws a recording of a terminal as an SVG that CSS animates: no script, no font from outside, readable without motion. */

/** Characters of a line; what is longer goes on in the next one. */
const columns = 96;
const rows = 26;
const lineHeight = 19;
const margin = 20;
const titleBar = 34;
/** Width of a character at 13 px: that of the widest usual monospaced font. */
const characterWidth = 7.85;

const width = Math.ceil(columns * characterWidth + 2 * margin);
const height = titleBar + rows * lineHeight + margin;

/** Seconds that nothing is printed for, at most: longer pauses are shortened. */
const longestPause = 1.2;

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Cuts a line between words. Lines that follow the first are indented by four blanks more. */
const wrapped = (text) => {
  const indent = `${/^ */.exec(text)[0]}    `;
  const lines = [];
  let rest = text;
  while (rest.length > columns) {
    const blank = rest.lastIndexOf(' ', columns);
    const cut = blank > indent.length ? blank : columns;
    lines.push(rest.slice(0, cut));
    rest = indent + rest.slice(cut).trimStart();
  }
  return [...lines, rest];
};

/** Class of a line, which decides its colour. */
const classOf = (text) => {
  if (text.startsWith('$ ')) return 'command';
  if (text.startsWith('-- ')) return 'event';
  if (/^(Saved conversation|Word error)/.test(text)) return 'result';
  return 'said';
};

/**
 * When each line is shown, in seconds from the first.
 * @param lines what was printed: `at` in ms and `text`
 */
const shownAt = (lines) => {
  let before = 0;
  let shown = 0;
  return lines.map(({ at }) => {
    shown += Math.min((at - before) / 1000, longestPause);
    before = at;
    return Number(shown.toFixed(2));
  });
};

const style = (roll, duration) => `
svg { --paper: #ffffff; --bar: #eef1f4; --edge: #c9d1d9; --said: #1f2328; --event: #59636e; --result: #0a5f2c; --command: #0a4ea3; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --bar: #161b22; --edge: #3d444d; --said: #e6edf3; --event: #9aa4af; --result: #56d364; --command: #79c0ff; }
}
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: var(--said); }
.event { fill: var(--event); } .result { fill: var(--result); font-weight: 600; } .command { fill: var(--command); font-weight: 600; }
.lines { transform: translateY(${roll.at(-1)?.[1] ?? 0}px); }
@media (prefers-reduced-motion: no-preference) {
  .lines { animation: roll ${duration}s step-end both; }
  .lines text { animation: show 1ms linear both; }
}
@keyframes show { from { opacity: 0; } to { opacity: 1; } }
@keyframes roll { from { transform: translateY(0); } ${roll
  .map(([at, y]) => `${((at / duration) * 100).toFixed(2)}% { transform: translateY(${y}px); }`)
  .join(' ')} }
`;

/**
 * The recording as an SVG.
 * @param recording `command`, and `lines` with `at` (ms since the start) and `text`
 */
export const draw = ({ command, lines }) => {
  const printed = [{ at: 0, text: `$ ${command}` }, ...lines];
  const times = shownAt(printed);
  const shown = printed.flatMap(({ text }, index) =>
    wrapped(text).map((part) => ({ part, at: times[index], kind: classOf(text) })),
  );
  const duration = times.at(-1) + 1;
  const roll = [];
  for (const [index, { at }] of shown.entries()) {
    if (index < rows) continue;
    if (roll.at(-1)?.[0] === at) roll.pop();
    roll.push([at, -(index + 1 - rows) * lineHeight]);
  }
  const texts = shown
    .map(({ part, at, kind }, index) => ({ part, at, kind, y: titleBar + (index + 1) * lineHeight }))
    .filter(({ part }) => part.trim() !== '')
    .map(
      ({ part, at, kind, y }) =>
        `<text class="${kind}" x="${margin}" y="${y}" style="animation-delay:${at}s">${escaped(part)}</text>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">A terminal in which the demo of Cochlea runs</title>
<desc id="description">The demo streams recorded speech to the engine. Words appear while they are spoken. Then the saved conversation is shown with its title, tasks and memories. Longer pauses are shortened.</desc>
<style>${style(roll, duration)}</style>
<clipPath id="screen"><rect x="0" y="${titleBar + 5}" width="${width}" height="${rows * lineHeight + 5}"/></clipPath>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" style="fill:var(--paper);stroke:var(--edge)"/>
<path d="M0.5 ${titleBar - 6} V8.5 a8 8 0 0 1 8 -8 H${width - 8.5} a8 8 0 0 1 8 8 V${titleBar - 6} Z" style="fill:var(--bar);stroke:var(--edge)"/>
<text class="event" x="${width / 2}" y="19" text-anchor="middle">cochlea demo</text>
<g clip-path="url(#screen)"><g class="lines">
${texts.join('\n')}
</g></g>
</svg>
`;
};
