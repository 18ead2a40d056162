import { useEffect, useRef } from 'preact/hooks';
import type { Loaded } from './loaded.js';

/**
 * Reads data again and again while the page is visible.
 * @param pause ms between two requests; null to stop.
 */
export const useRepeated = ({ loading, reload }: Loaded<unknown>, pause: number | null): void => {
  const latest = useRef({ loading, reload });
  latest.current = { loading, reload };
  useEffect(() => {
    if (pause === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !latest.current.loading) latest.current.reload();
    }, pause);
    return () => clearInterval(timer);
  }, [pause]);
};
