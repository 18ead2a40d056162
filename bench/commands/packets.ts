import { Command } from 'commander';

export const packetsCommand = (): Command =>
  new Command('packets')
    .description('encode the packets of the suites again and compare their hashes with the pins')
    .option('--pin', 'write the new hashes as pins')
    .action(async ({ pin }: { pin?: boolean }) => {
      const { checkPackets } = await import('../packets/pins.js');
      if (!(await checkPackets(pin === true))) process.exitCode = 1;
    });
