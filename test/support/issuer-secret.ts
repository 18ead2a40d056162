/** Secret of the token issuer in tests. With it, no test creates a secret in the data folder of the checkout. */
export const testSecret = 'a secret of tests, and of nothing else'.replaceAll(' ', '-');
