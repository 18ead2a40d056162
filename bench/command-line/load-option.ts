import { InvalidArgumentError, Option } from 'commander';
import type { AskedLoad } from '../suites/asked-load.js';

/** Parses a load: `200` means streams, `70%` means a share of the capacity. */
export const loadArgument = (text: string): AskedLoad => {
  const found = /^(\d+)(%?)$/.exec(text.trim());
  const value = Number(found?.[1]);
  if (!found || value < 1 || (found[2] === '%' && value > 100)) {
    throw new InvalidArgumentError('a number of streams, or a share of the capacity such as 70%');
  }
  return found[2] === '%' ? { share: value / 100 } : { streams: value };
};

/**
 * Returns the option for the load of a suite.
 * @param load default. @param shown text of the default in the help. @param what name of the streams in the help.
 */
export const loadOption = (load: AskedLoad, shown: string, what = 'live streams'): Option =>
  new Option('--streams <load>', `${what}, or a share of the capacity, which is found first`)
    .argParser(loadArgument)
    .default(load, shown);
