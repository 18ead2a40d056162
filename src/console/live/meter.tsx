import { useEffect, useRef } from 'preact/hooks';
import { level, muted, state } from './recorder.js';

const seconds = 60;
const perSecond = 4;

/** Draws the level of the last minute. A text beside it has the present value. */
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
      draw.clearRect(0, 0, width, height);
      draw.fillStyle = getComputedStyle(element).color;
      const bar = width / (seconds * perSecond);
      history.forEach((decibels, at) => {
        const tall = Math.max(1, ((decibels + 60) / 60) * height);
        draw.fillRect(width - (history.length - at) * bar, height - tall, Math.max(1, bar - 0.5), tall);
      });
    }, 1000 / perSecond);
    return () => clearInterval(timer);
  }, []);
  const quiet = muted.value || state.value?.kind === 'stopping';
  return (
    <p class="meter">
      <canvas ref={canvas} width={600} height={40} />
      <meter min={-60} max={0} value={quiet ? -60 : level.value} aria-label="Level of the microphone in dB">
        {Math.round(level.value)} dB
      </meter>
    </p>
  );
};
