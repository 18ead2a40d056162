import { useEffect, useRef } from 'preact/hooks';
import type { Loaded } from './loaded.js';

/** Events that show that a user is at the page. */
const signs = ['pointerdown', 'keydown', 'focus'] as const;

/**
 * Reads data again and again while the page is visible. Waits if the service asked for a pause: `useLoaded` repeats the
 * request then.
 * @param pause ms between two requests; null to stop.
 * @param unattended ms after the last input at which the requests end, until the next input. Without this bound, an
 * open page would prevent the end of an unused session.
 */
export const useRepeated = (
  loaded: Loaded<unknown>,
  pause: number | null,
  unattended = Number.POSITIVE_INFINITY,
): void => {
  const latest = useRef(loaded);
  latest.current = loaded;
  useEffect(() => {
    if (pause === null) return;
    let attended = Date.now();
    const note = (): void => {
      attended = Date.now();
    };
    const timer = setInterval(() => {
      const { loading, againAt, reload } = latest.current;
      const isWanted = document.visibilityState === 'visible' && Date.now() - attended < unattended;
      if (isWanted && !loading && againAt === null) reload();
    }, pause);
    for (const sign of signs) window.addEventListener(sign, note);
    return () => {
      clearInterval(timer);
      for (const sign of signs) window.removeEventListener(sign, note);
    };
  }, [pause, unattended]);
};
