import { InvalidArgumentError } from 'commander';

/** Reads an option that counts something. */
export const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number above 0');
  return value;
};
