import { Command } from 'commander';

export const packetsCommand = (): Command =>
  new Command('packets')
    .description('code the packets of the suites again and compare them with their pins')
    .option('--pin', 'pin what comes out')
    .action(async ({ pin }: { pin?: boolean }) => {
      const { checkPackets } = await import('../packets/pins.js');
      if (!(await checkPackets(pin === true))) process.exitCode = 1;
    });
