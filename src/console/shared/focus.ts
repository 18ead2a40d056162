/**
 * Gives the focus to an element if no element has it, because the one that had it has left the page. Keys then continue
 * from this element. The page does not scroll.
 */
export const catchFocus = (element: HTMLElement | null): void => {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) element?.focus({ preventScroll: true });
};
