/** Root of the checkout, relative to the compiled file. */
export const checkout = new URL('../../', import.meta.url);
/** The compiled command `cochlea` of this checkout. */
export const productCommand = new URL('../src/app/cochlea.js', import.meta.url);
