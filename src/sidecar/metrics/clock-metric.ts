import { Gauge, type Registry } from 'prom-client';

/** Registers the gauge of the clock's offset. @returns a function that sets it, in ms. */
export const createClockMetric = (registry: Registry): ((offset: number) => void) => {
  const gauge = new Gauge({
    name: 'cochlea_database_clock_offset_milliseconds',
    help: "Time by which the database's clock is ahead of this machine's clock.",
    registers: [registry],
  });
  return (offset) => gauge.set(offset);
};
