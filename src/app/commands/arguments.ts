import { InvalidArgumentError } from 'commander';
import { validate as isUuid } from 'uuid';

/** Returns a parser for an option with a whole number from `minimum` to `maximum`, both included. */
export const integerArgument =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < minimum || value > maximum) {
      throw new InvalidArgumentError(`It has to be a whole number from ${minimum} to ${maximum}.`);
    }
    return value;
  };

/** Returns a parser for an option with a number from `minimum` to `maximum`, both included. */
export const numberArgument =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= minimum && value <= maximum)) {
      throw new InvalidArgumentError(`It has to be a number from ${minimum} to ${maximum}.`);
    }
    return value;
  };

/** Parses an option with a UUID. */
export const uuidArgument = (text: string): string => {
  if (!isUuid(text)) throw new InvalidArgumentError('It has to be a UUID.');
  return text;
};

/** Parses `--pace`: a multiple of real time, or `max`. */
export const paceArgument = (text: string): number | 'max' =>
  text === 'max' ? 'max' : numberArgument(0.1, 1000)(text);
