import { wholeNumber } from './whole-number.js';

/** Reads an option that lists things that are counted: `1,10,100`. */
export const wholeNumbers = (text: string): number[] => text.split(',').map(wholeNumber);
