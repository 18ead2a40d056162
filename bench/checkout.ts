/** Root of the checkout, seen from the compiled file. */
export const checkout = new URL('../../', import.meta.url);
