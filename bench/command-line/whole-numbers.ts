import { wholeNumber } from './whole-number.js';

/** Parses an option that is a list of counts: `1,10,100`. */
export const wholeNumbers = (text: string): number[] => text.split(',').map(wholeNumber);
