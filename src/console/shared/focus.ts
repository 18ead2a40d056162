/**
 * Gives the focus to an element if the one that had it has left the page, so that keys go on there. The page does not
 * scroll.
 */
export const catchFocus = (element: HTMLElement | null): void => {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) element?.focus({ preventScroll: true });
};
