import { nkeys } from '@nats-io/transport-node';

/** Makes the seed of new credentials. The seed is secret. */
export const makeSeed = (): string => new TextDecoder().decode(nkeys.createUser().getSeed());

/** Returns the public key of a seed. @throws Error if the text is not a seed of a user. */
export const publicKeyOf = (seed: string): string =>
  nkeys.fromSeed(new TextEncoder().encode(seed.trim())).getPublicKey();
