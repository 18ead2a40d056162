/** A kind of statement that speakers make about themselves: its pattern, its form in the third person, and how lasting it is. */
export interface Statement {
  readonly said: RegExp;
  /**
   * Makes the fact from the groups of `said`. `who` is the user's name, `whose` its genitive. Returns null if the match
   * is not a fact.
   */
  readonly told: (groups: Readonly<Record<string, string>>, who: string, whose: string) => string | null;
  /**
   * Rank of the fact. Facts with smaller numbers are more lasting. If there are too many facts, those with the smallest
   * numbers are kept.
   */
  readonly rank: number;
}

const i = String.raw`\bi(?:'m| am)(?: (?:also|actually|really|severely|very|quite|still|a bit|pretty|just|currently|now))?`;
const relation =
  'daughter|son|wife|husband|partner|girlfriend|boyfriend|fiancée?|mother|mom|mum|father|dad|sister|brother|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin|niece|nephew|boss|manager|roommate|neighbou?r|best friend|dog|cat|kid|baby|twins|kids|children|parents';
const condition = String.raw`(?:(?:type (?:one|two|1|2) )?diabetes|asthma|adhd|epilepsy|migraines?|arthritis|celiac disease|coeliac disease|hay fever|high blood pressure|insomnia|dyslexia|tinnitus|a (?:nut|peanut|milk|shellfish|bee|penicillin|latex|gluten)[\w ]{0,20} allergy|a heart condition|a pacemaker|a bad (?:back|knee))`;
const trait =
  'vegetarian|vegan|pescatarian|diabetic|coeliac|celiac|lactose intolerant|gluten intolerant|colou?r ?blind|left-handed|left handed|asthmatic|pregnant|dyslexic|epileptic|deaf|married|divorced|widowed|retired|self-employed|bilingual|an only child|a twin|a night owl|a morning person|an early riser|a single (?:mother|mom|mum|father|dad|parent)';
const trade =
  'nurse|doctor|teacher|lawyer|carpenter|plumber|electrician|baker|chef|cook|waiter|waitress|bartender|driver|pilot|farmer|gardener|painter|photographer|journalist|writer|author|editor|translator|interpreter|designer|architect|engineer|programmer|developer|scientist|researcher|professor|lecturer|student|librarian|accountant|auditor|banker|cashier|manager|consultant|analyst|recruiter|secretary|receptionist|paramedic|firefighter|soldier|dentist|vet|veterinarian|surgeon|pharmacist|midwife|physiotherapist|therapist|psychologist|musician|drummer|pianist|singer|actor|actress|dancer|director|producer|coach|trainer|mechanic|welder|tailor|hairdresser|barber|butcher|fisherman|carer|caregiver|social worker|police officer|judge|priest|pastor|freelancer|founder|electrical engineer|software engineer|estate agent|salesman|saleswoman|postman|biologist|chemist|physicist|economist|geologist|optician|technician|statistician';
const verb = '(?<verb>works|lives|studies|plays|starts|teaches|speaks|goes|turns|loves|hates|collects)';
const name = String.raw`(?: (?<name>\p{Lu}\p{Ll}{1,20}))`;

const is =
  (value: string): Statement['told'] =>
  (groups, who) =>
    `${who} is ${groups[value]}`;

/**
 * Returns a verb such as "prefer" in the third person. Callers pass only verbs of lasting facts. "To be" and "to
 * have" have their own statements.
 */
const thirdPerson = (verb: string): string => {
  const low = verb.toLowerCase();
  if (low === 'go' || low === 'do') return `${low}es`;
  if (/[^aeiou]y$/.test(low)) return `${low.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(low) ? `${low}es` : `${low}s`;
};

/** Matches words after "I love" that make it a passing remark rather than a lasting fact. */
const remark =
  /^(?:it|that|this|these|those|you|your|his|her|their|him|them|how|when|what|where|the|a|an|to (?:see|think|say|be honest)|me|being|all|to death|everything|one|some|any|my|our)\b/i;
const lasting = (text: string | undefined): boolean => text !== undefined && !remark.test(text);

export const statements: readonly Statement[] = [
  {
    rank: 1,
    said: RegExp(`${i} allergic to (?<what>.+)`, 'iu'),
    told: ({ what }, who) => `${who} is allergic to ${what}`,
  },
  {
    rank: 1,
    said: RegExp(String.raw`${i} (?<what>(?:a )?(?:married to .+|${trait}))(?![\w'])`, 'iu'),
    told: is('what'),
  },
  {
    rank: 1,
    said: RegExp(String.raw`\bi(?:'ve got| have| was diagnosed with) (?<what>${condition})\b`, 'iu'),
    told: ({ what }, who) => `${who} has ${what}`,
  },
  {
    rank: 1,
    said: /\bi (?<how>don't|do not|can't|cannot|never) (?<what>(?:eat|drink|smoke|drive)(?: .+)?)/iu,
    told: ({ how, what }, who) => {
      const [verb, ...rest] = what!.split(' ');
      if (rest.length > 0 && !lasting(rest.join(' '))) return null;
      if (rest.length === 0 && verb!.toLowerCase() === 'eat') return null;
      if (/^(?:can't|cannot)$/i.test(how!)) return rest.length === 0 ? null : `${who} cannot ${what}`;
      return how!.toLowerCase() === 'never'
        ? `${who} never ${[thirdPerson(verb!), ...rest].join(' ')}`
        : `${who} does not ${what}`;
    },
  },
  {
    rank: 2,
    said: RegExp(
      String.raw`\bmy (?<kin>(?:\w+ )?(?:${relation})) (?:is (?:called|named)|(?:'s|is) name is) (?<what>\p{Lu}.+)`,
      'u',
    ),
    told: ({ kin, what }, _who, whose) => `${whose} ${kin} is called ${what}`,
  },
  {
    rank: 2,
    said: RegExp(String.raw`\bmy (?<kin>(?:\w+ )?(?:${relation}))'s name is (?<what>\p{Lu}.+)`, 'u'),
    told: ({ kin, what }, _who, whose) => `${whose} ${kin} is called ${what}`,
  },
  {
    rank: 2,
    said: RegExp(
      String.raw`\bmy (?<kin>(?:(?:older|younger|oldest|youngest|little|big|elder|twin) )?(?:${relation}))${name}?,? (?:(?:who )?${verb} (?<rest>.+))`,
      'u',
    ),
    told: ({ kin, name: called, verb: does, rest }, _who, whose) =>
      lasting(rest) ? `${whose} ${kin}${called ? ` ${called}` : ''} ${does} ${rest}` : null,
  },
  {
    rank: 2,
    said: RegExp(
      String.raw`\bmy (?<kin>(?:${relation}))${name}? is (?<what>(?:allergic to .+|(?:a|an) (?:\w+ )?(?:${trade})\b.*|(?:${trait})\b|\w+(?: \w+)? years old|getting married.*|turning .+|starting (?:school|university|college|kindergarten|nursery).*|studying .+|expecting .+))`,
      'u',
    ),
    told: ({ kin, name: called, what }, _who, whose) =>
      `${whose} ${kin}${called ? ` ${called}` : ''} is ${what}`,
  },
  {
    rank: 2,
    said: RegExp(String.raw`\bmy (?<kin>(?:${relation}))${name}? has (?<what>${condition})\b`, 'u'),
    told: ({ kin, name: called, what }, _who, whose) =>
      `${whose} ${kin}${called ? ` ${called}` : ''} has ${what}`,
  },
  {
    rank: 2,
    said: /\bi(?:'ve got| have| also have) (?<what>(?:an?|two|three|four|five|twin|\d) (?:\w+ )?(?:kids?|child|children|daughters?|sons?|brothers?|sisters?|dogs?|cats?|grandchild|grandchildren|grandkids|siblings|rabbits?|horses?|parrots?|allotment)\b.*)/iu,
    told: ({ what }, who) => `${who} has ${what}`,
  },
  {
    rank: 3,
    said: /\bmy name(?:'s| is) (?<what>\p{Lu}[\p{L}' -]{1,40})/u,
    told: ({ what }, _who, whose) => `${whose} name is ${what}`,
  },
  {
    rank: 3,
    said: /\bmy birthday(?:'s| is) (?:on )?(?<what>(?:the )?(?:\w+ ){0,2}(?:january|february|march|april|may|june|july|august|september|october|november|december)\b.*)/iu,
    told: ({ what }, _who, whose) => `${whose} birthday is on ${what}`,
  },
  {
    rank: 3,
    said: /\bi work (?<what>(?:as|for|at|in|nights|night shifts|part-time|part time|from home|remotely)\b.*)/iu,
    told: ({ what }, who) => `${who} works ${what}`,
  },
  {
    rank: 3,
    said: RegExp(String.raw`${i} (?<what>(?:a|an) (?:[\w-]+ ){0,2}(?:${trade})\b.*)`, 'iu'),
    told: is('what'),
  },
  {
    rank: 3,
    said: /\bi live (?<what>(?:in|on|near|with|alone|at|by|next to)\b.*)/iu,
    told: ({ what }, who) =>
      /^(?:in|on|with|at) (?:fear|hope|it|this|that|you)\b/i.test(what!) ? null : `${who} lives ${what}`,
  },
  {
    rank: 3,
    said: /\bi (?<what>(?:grew up|was born) (?:in|on|near) .+)/iu,
    told: ({ what }, who) => `${who} ${what}`,
  },
  {
    rank: 3,
    said: /\bi(?:'m| am) (?:originally )?from (?<what>\p{Lu}.+)/u,
    told: ({ what }, who) => `${who} is from ${what}`,
  },
  {
    rank: 3,
    said: /\bi (?:just |recently )?moved (?<what>(?:here )?(?:to|from) (?:the )?\p{Lu}.+)/u,
    told: ({ what }, who) => `${who} moved ${what}`,
  },
  {
    rank: 3,
    said: RegExp(
      String.raw`${i} (?<what>(?:learning|studying|training for|getting married|moving to|retiring|expecting (?:a|our|my|twins)|writing a (?:book|novel|thesis|dissertation))\b.*)`,
      'iu',
    ),
    told: ({ what }, who) =>
      /^(?:learning|studying) (?:a lot|that|how|so)\b/i.test(what!) ? null : `${who} is ${what}`,
  },
  {
    rank: 4,
    said: /\bmy favou?rite (?<kind>[\w ]{1,30}?) (?:is|are) (?<what>.+)/iu,
    told: ({ kind, what }, _who, whose) =>
      /^(?:when|how|where|that|this)\b/i.test(what!) ? null : `${whose} favourite ${kind} is ${what}`,
  },
  {
    rank: 4,
    said: /\bi (?:much |really |usually |generally |always |actually )?prefer (?<what>.+)/iu,
    told: ({ what }, who) =>
      /^(?:it|that|this|you|these|those|not|if|when)\b/i.test(what!) ? null : `${who} prefers ${what}`,
  },
  {
    rank: 4,
    said: /\bi (?:really |absolutely |just |also |always )?(?<verb>love|hate|enjoy|like|collect) (?<what>.+)/iu,
    told: ({ verb, what }, who) => {
      if (!lasting(what)) return null;
      const plain = verb!.toLowerCase();
      if (plain === 'like' && !/^\w+ing\b/i.test(what!)) return null;
      return `${who} ${thirdPerson(plain)} ${what}`;
    },
  },
  {
    rank: 4,
    said: /\bi can't stand (?<what>.+)/iu,
    told: ({ what }, who) => (lasting(what) ? `${who} cannot stand ${what}` : null),
  },
  {
    rank: 4,
    said: /\bi (?:also )?play (?<what>(?:the )?(?:guitar|piano|violin|cello|drums|flute|saxophone|trumpet|bass|chess|tennis|football|soccer|basketball|golf|badminton|hockey|rugby|cricket|volleyball|squash|bridge)\b.*)/iu,
    told: ({ what }, who) => `${who} plays ${what}`,
  },
  {
    rank: 4,
    said: /\bi (?:also )?speak (?<what>(?:\w+ )?\p{Lu}\p{Ll}+.*)/u,
    told: ({ what }, who) => (/^(?:to|with|for|at|about|on)\b/i.test(what!) ? null : `${who} speaks ${what}`),
  },
  {
    rank: 5,
    said: /\bi (?:usually |always )?(?<verb>go|run|swim|walk|cycle|meditate|volunteer|practise|practice|train|get up|take|meet|visit|call|cook) (?<what>.{0,80}?(?:every (?:single )?(?:day|morning|evening|night|week|weekend|month|other day|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|twice a (?:day|week)|once a (?:day|week|month)|three times a week))\b/iu,
    told: ({ verb, what }, who) => {
      const [first, ...rest] = verb!.split(' ');
      return `${who} ${[thirdPerson(first!), ...rest].join(' ')} ${what}`;
    },
  },
];
