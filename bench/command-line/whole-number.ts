import { InvalidArgumentError } from 'commander';

/** Parses an option that is a count. */
export const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number above 0');
  return value;
};
