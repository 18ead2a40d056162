/** Draws the plots of a report with uPlot. Runs in the browser; `plots.ts` describes the plots. */
(() => {
  const plots = JSON.parse(document.getElementById('plots').textContent);
  const height = 300;
  // Patterns that also distinguish the lines for colour-blind readers and on paper.
  const dashes = [[], [9, 4], [2, 3], [12, 4, 2, 4], [5, 2], [1, 5]];
  const colours = dashes.length;
  const markers = ['solid', 'dashed', 'dotted', 'double', 'dashed', 'dotted'];

  /** Formats a value with at most four digits and without an exponent. */
  const shown = (value) => (value == null ? '–' : String(Number(value.toPrecision(4))));

  const axis = (label, colour, line) => ({
    label,
    stroke: colour,
    labelSize: 20,
    font: '12px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    values: (_, values) => values.map((value) => (value == null ? '' : shown(value))),
  });

  /** Returns the range of a scale that begins at 0, so that the plot shows changes in their true proportion. */
  const fromZero = (_, __, largest) => [0, largest > 0 ? largest * 1.08 : 1];

  const options = (plot, width) => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const line = colour('--line');
    const text = colour('--text');
    const series = plot.lines.map(({ label }, at) => ({
      label,
      stroke: colour(`--series-${(at % colours) + 1}`),
      dash: dashes[at % colours],
      width: 2,
      spanGaps: true,
      points: { show: plot.x.length <= 40 },
      value: (_, value) => shown(value),
    }));
    const level =
      plot.level === undefined
        ? []
        : [
            {
              label: `Service level ${shown(plot.level)}`,
              stroke: colour('--level'),
              dash: [3, 3],
              width: 1.5,
              points: { show: false },
              value: () => '',
            },
          ];
    return {
      width,
      height,
      scales: { x: { time: false }, y: plot.log ? { distr: 3 } : { range: fromZero } },
      axes: [axis(plot.xTitle, text, line), { ...axis(plot.yTitle, text, line), size: 64 }],
      legend: { markers: { dash: (_, at) => markers[(at - 1) % colours], width: 3 } },
      series: [{ label: plot.xTitle, value: (_, value) => shown(value) }, ...series, ...level],
    };
  };

  const drawn = new Map();
  const draw = (place, plot) => {
    drawn.get(place)?.destroy();
    const values = [plot.x, ...plot.lines.map(({ y }) => y)];
    if (plot.level !== undefined) values.push(plot.x.map(() => plot.level));
    drawn.set(place, new uPlot(options(plot, place.clientWidth), values, place));
    const canvas = place.querySelector('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', place.dataset.description);
  };
  const drawAll = () => {
    for (const place of document.querySelectorAll('[data-plot]'))
      draw(place, plots[Number(place.dataset.plot)]);
  };

  drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  addEventListener('resize', () => {
    for (const [place, plot] of drawn) plot.setSize({ width: place.clientWidth, height });
  });
})();
