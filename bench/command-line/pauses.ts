import { InvalidArgumentError } from 'commander';
import type { Pauses } from '../words/material.js';
import { wholeNumber } from './whole-number.js';

/** Parses an option with the shortest and the longest pause in ms. */
export const pausesOf = (text: string): Pauses => {
  const [least, most, ...more] = text.split(',').map(wholeNumber);
  if (least === undefined || most === undefined || more.length > 0 || most < least)
    throw new InvalidArgumentError('two whole numbers, the smaller one first');
  return { least, most };
};
