/**
 * Suites of `test/e2e` that do not run on several machines, each with the reason. `run-fleet.ts` runs all others with two
 * engines and two sidecars on one database. A structure test checks that each file exists.
 */
export const suitesOfOneMachine: Readonly<Record<string, string>> = {
  'accounts/account-deletion': 'It looks into the data folder in which it left files before the start.',
  'accounts/console-stream': 'The links of `cochlea console` have the address of one machine.',
  closing: 'It reads the order of the closing from the log of one machine.',
  codecs:
    'It decodes on one engine, and no other part takes part. Two machines would take a minute of CPU more.',
  'cold-start': 'It tests the start of one engine, with its process and its log.',
  crashes: 'It kills and pauses single processes and the database of one machine.',
  cycles: 'It measures the memory of one engine.',
  'fleet/balancer': 'It starts two machines itself.',
  'fleet/bus-outages': 'It starts two machines itself.',
  'fleet/find-haproxy': 'It starts no machine.',
  'fleet/lost-disk': 'It starts two machines itself.',
  'fleet/min-durability': 'It starts a machine itself.',
  'fleet/revocations': 'It starts two machines itself.',
  'fleet-events': 'It starts two machines itself.',
  'fleet-limits': 'It starts two machines itself.',
  'fleet-streams': 'It starts two machines itself.',
  images: 'It reads the data folder of one machine. Several machines share a bucket (other-machine).',
  'other-machine': 'It starts two machines itself.',
  'positions/audio-positions': 'It kills the engine of a machine that it starts itself.',
  'providers/custom-stt': 'It tests the way from one engine to a provider, and no other part takes part.',
  'providers/hosted-provider':
    'It tests the way from one engine to a provider, and no other part takes part.',
  'providers/translation':
    'It is unstable there: in some runs, the translation of a conversation that ends after 3 s does not reach its stream.',
  'retained-full': 'It fills the data folder of one machine.',
  'retained-words':
    'It reads the data folder of one machine. Several machines share a bucket (other-machine).',
  'speakers/known-voices':
    'Its command uses the data folder of one machine. The models take a minute of CPU.',
  'speakers/moved-voices': 'It starts two machines itself.',
  'speakers/two-voices': 'It puts a model into the data folder of one machine.',
  'providers/transcriber-away': 'It kills the transcriber of a machine that it starts itself.',
  'two-owners': 'It starts two machines itself.',
};
