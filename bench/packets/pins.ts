import { digest, encodeRecipe, type PacketName, readPins, recipes, writePins } from './packets.js';

/**
 * Encodes every recipe again, and prints for which recipes the hash equals the pin.
 * @param pin whether to store the new hashes as pins.
 * @returns whether all hashes equal their pins.
 */
export const checkPackets = async (pin: boolean): Promise<boolean> => {
  const pins = pin ? {} : readPins();
  const found: Record<string, string> = {};
  for (const name of Object.keys(recipes) as PacketName[]) {
    found[name] = digest(await encodeRecipe(recipes[name]));
    const same = pin || pins[name] === found[name];
    process.stdout.write(`${same ? 'ok ' : 'BAD'} ${name} ${found[name]}\n`);
  }
  if (pin) writePins(found);
  return pin || Object.entries(found).every(([name, hash]) => pins[name] === hash);
};
