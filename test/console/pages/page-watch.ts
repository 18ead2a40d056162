/** Watches the live page in the browser: the sound that it records, and the words that it shows, with times. */
import type { Page } from 'playwright-core';

const rate = 16_000;
const samplesPerMs = rate / 1000;
/** Length of the blocks whose levels are compared, in ms. */
const block = 10;
/**
 * Seconds of the recorded sound that the script keeps. They serve to find the position of the recording in the file.
 */
const keptSeconds = 20;

/** Words that the page shows from a time on. */
export interface PageWords {
  /** Ms since 1970. */
  readonly at: number;
  readonly text: string;
}

interface Watched {
  readonly shown: PageWords[];
  readonly first: number[];
  /**
   * Time of the first sample, in ms since 1970. The estimate assumes that the fastest piece of sound arrived without
   * delay.
   */
  began: number;
}

/** Runs in the page before its scripts. */
const script = `(() => {
  const now = () => performance.timeOrigin + performance.now();
  const watched = { shown: [], first: [], began: Infinity };
  window.watched = watched;
  const Node = window.AudioWorkletNode;
  let samples = 0;
  window.AudioWorkletNode = class extends Node {
    constructor(...options) {
      super(...options);
      this.port.addEventListener('message', ({ data }) => {
        samples += data.length;
        watched.began = Math.min(watched.began, now() - samples / ${samplesPerMs});
        if (samples <= ${keptSeconds * rate}) for (const one of data) watched.first.push(one);
      });
    }
  };
  const words = () =>
    [...document.querySelectorAll('.words li p:not(.translation)')].map((one) => one.textContent).join(' ');
  const show = () => {
    const text = words();
    if (text !== (watched.shown.at(-1)?.text ?? '')) watched.shown.push({ at: now(), text });
  };
  const concerns = ({ target }) => {
    const element = target instanceof Element ? target : target.parentElement;
    return element?.closest('main') != null;
  };
  new MutationObserver((changes) => {
    if (changes.some(concerns)) requestAnimationFrame(show);
  }).observe(document, { subtree: true, childList: true, characterData: true });
})()`;

/** Begins to watch a page. Call it before the page is loaded. */
export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(script);

const levels = (pcm: ArrayLike<number>): number[] => {
  const length = block * samplesPerMs;
  return Array.from({ length: Math.floor(pcm.length / length) }, (_, at) => {
    let sum = 0;
    for (let place = at * length; place < (at + 1) * length; place++) sum += pcm[place]! ** 2;
    return Math.log10(1 + Math.sqrt(sum / length));
  });
};

/** Returns the position of a recording in a file, in ms. At this position, their levels are most alike. */
export const placeIn = (file: Int16Array, recording: ArrayLike<number>): number => {
  const [whole, part] = [levels(file), levels(recording)];
  let best = { place: 0, score: Number.NEGATIVE_INFINITY };
  for (let place = 0; place + part.length <= whole.length; place++) {
    const score = correlation(whole, part, place);
    if (score > best.score) best = { place, score };
  }
  return best.place * block;
};

const correlation = (whole: readonly number[], part: readonly number[], place: number): number => {
  const mean = (list: readonly number[], from: number): number => {
    let sum = 0;
    for (let at = 0; at < part.length; at++) sum += list[from + at]!;
    return sum / part.length;
  };
  const [a, b] = [mean(whole, place), mean(part, 0)];
  let [both, one, other] = [0, 0, 0];
  for (let at = 0; at < part.length; at++) {
    const [x, y] = [whole[place + at]! - a, part[at]! - b];
    both += x * y;
    one += x * x;
    other += y * y;
  }
  return one === 0 || other === 0 ? Number.NEGATIVE_INFINITY : both / Math.sqrt(one * other);
};

/**
 * Returns what the page has shown, and when the first sample of the file was played, in ms since 1970.
 * @param file the sound that the browser's microphone plays.
 */
export const watchedOn = async (
  page: Page,
  file: Int16Array,
): Promise<{ readonly shown: readonly PageWords[]; readonly began: number }> => {
  const { shown, first, began } = (await page.evaluate('window.watched')) as Watched;
  return { shown, began: began - placeIn(file, first) };
};
