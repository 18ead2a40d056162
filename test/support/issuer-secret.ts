/** The issuer's secret of tests, so that none is made in the data folder of the checkout. */
export const testSecret = 'a secret of tests, and of nothing else'.replaceAll(' ', '-');
