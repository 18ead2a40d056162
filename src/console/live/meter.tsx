import { useEffect, useRef } from 'preact/hooks';
import { machineTime } from '../stream/index.js';
import { level, muted, spoken, state } from './recorder.js';

const seconds = 60;
const perSecond = 4;
/** Height in px of the marks of speech, at the bottom of the picture. */
const markHeight = 10;

/** Draws the level and the speech of the last minute. Texts beside the picture have the present values. */
export const Meter = () => {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const history: number[] = [];
    const timer = setInterval(() => {
      history.push(level.peek());
      if (history.length > seconds * perSecond) history.shift();
      const element = canvas.current;
      const draw = element?.getContext('2d');
      if (!element || !draw) return;
      const { width, height } = element;
      const top = height - markHeight - 2;
      draw.clearRect(0, 0, width, height);
      draw.fillStyle = getComputedStyle(element).color;
      const bar = width / (seconds * perSecond);
      history.forEach((decibels, at) => {
        const tall = Math.max(1, ((decibels + 60) / 60) * top);
        draw.fillRect(width - (history.length - at) * bar, top - tall, Math.max(1, bar - 0.5), tall);
      });
      const now = machineTime.now();
      const pixel = width / (seconds * 1000);
      for (const { from, to } of spoken(now))
        draw.fillRect(
          width - (now - from) * pixel,
          height - markHeight,
          Math.max(1, (to - from) * pixel),
          markHeight,
        );
    }, 1000 / perSecond);
    return () => clearInterval(timer);
  }, []);
  const decibels = muted.value || state.value?.kind === 'stopping' ? -60 : Math.round(level.value);
  return (
    <div class="meter">
      <canvas
        ref={canvas}
        width={600}
        height={52}
        role="img"
        aria-label="Level above, speech below, of the last 60 seconds"
      />
      <span>
        <meter min={-60} max={0} value={decibels} aria-label="Level in dB">
          {decibels} dB
        </meter>{' '}
        <span class="level">{decibels} dB</span>
      </span>
    </div>
  );
};
