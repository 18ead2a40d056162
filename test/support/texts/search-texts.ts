/** Memories of one user. Each memory answers the question beside it, although the two share no content word. */
export const paraphrases: readonly (readonly [memory: string, question: string])[] = [
  ['Allergic to peanuts', 'food that causes a reaction'],
  ['Drives an electric car', 'kind of vehicle'],
  ['Her dog is called Bruno', 'Name of the pet'],
  ['Wakes up at half past five every day', 'early riser in the morning'],
  ['Studies Portuguese on Tuesdays', 'learning a foreign language'],
  ['Plays the cello in an orchestra', 'musical instrument'],
  ['Broke his left ankle last winter', 'injury to the leg'],
  ['Was born in Reykjavik', 'place of origin in Iceland'],
  ['Saves money for a house by the sea', 'buying property near the ocean'],
  ['Works as a nurse at the children hospital', 'job in healthcare'],
  ['Prefers tea without sugar', 'favourite hot drink'],
  ['Is afraid of flying', 'nervous about airplanes'],
  ['Got married to Tom in 2015', 'wedding of the couple'],
  ['Votes in every election', 'political participation'],
  ['Runs marathons twice a year', 'endurance sport'],
  ['Cannot sleep without a fan', 'insomnia and noise at night'],
  ['Collects old stamps', 'philately hobby'],
  ['Quit smoking in January', 'gave up cigarettes'],
  ['Their son starts school in September', 'child begins education this autumn'],
  ['Speaks up against plastic waste', 'environment and pollution'],
];

/** Further memories, which answer none of these questions. */
export const others: readonly string[] = [
  'Keeps the spare key under the blue pot',
  'Meets Oskar for lunch on Fridays',
  'The alarm code of the cottage is 4711',
  'Reads crime novels',
  'Bought a red umbrella',
  'Watches snooker on television',
  'Owns two laptops',
  'Lost a wallet at the station',
  'Paints the fence every spring',
  'Signed the lease for the office',
];
