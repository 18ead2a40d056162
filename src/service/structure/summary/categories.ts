import { tokensOf } from '../language/index.js';

interface Category {
  readonly emoji: string;
  /** Stems, separated by spaces. A word counts if it begins with a stem. A stem with a trailing `.` must equal the complete word. */
  readonly stems: string;
}

/** The categories of the API with their vocabulary. The category `other` applies if none of them fits. */
const vocabulary: Readonly<Record<string, Category>> = {
  personal: {
    emoji: '🙂',
    stems: 'myself feeling diary birthday friend lonely happy sad apartment neighbor weekend routine chore',
  },
  education: {
    emoji: '🎓',
    stems:
      'school student teacher professor lecture homework exam class. classes classroom university college course tuition curriculum semester diploma',
  },
  health: {
    emoji: '🩺',
    stems:
      'doctor hospital medic symptom pain. headache fever nurse clinic dentist therap prescription vitamin diet workout gym. sleep blood allerg vaccin surgery patient',
  },
  finance: {
    emoji: '💰',
    stems:
      'money bank. loan mortgage invest stock. stocks dividend salary tax. taxes budget invoice credit debt interest. pension insurance payment dollar euro savings',
  },
  legal: {
    emoji: '⚖️',
    stems:
      'lawyer attorney court. lawsuit judge. contract clause legal plaintiff defendant verdict jury testimony liabilit statute trial. patent',
  },
  philosophy: {
    emoji: '🤔',
    stems:
      'philosoph ethic moral metaphysic existence stoic consciousness virtue epistem nietzsche plato socrates kant',
  },
  spiritual: {
    emoji: '🕯️',
    stems:
      'god. prayer pray. church meditat soul spirit faith bible temple mosque blessing sermon divine heaven holy karma worship',
  },
  science: {
    emoji: '🔬',
    stems:
      'scien experiment physics chemist biolog molecule atom. atoms theory hypothes laborator quantum telescope particle genome evolution',
  },
  entrepreneurship: {
    emoji: '🚀',
    stems:
      'startup founder venture pitch. cofounder seed. fundrais accelerator bootstrap mvp entrepreneur traction',
  },
  parenting: {
    emoji: '🍼',
    stems: 'toddler diaper bedtime daycare kindergarten babysit parenting newborn tantrum playdate nursery',
  },
  romantic: {
    emoji: '❤️',
    stems:
      'love. lover romantic girlfriend boyfriend kiss valentine dating darling sweetheart fiance marriage proposal wedding',
  },
  travel: {
    emoji: '✈️',
    stems:
      'flight airport hotel travel trip. trips passport luggage vacation itinerary tourist train. ticket visa. journey cruise voyage airline',
  },
  inspiration: {
    emoji: '✨',
    stems: 'inspir motivat dream. dreams courage gratitude perseverance mindset overcome aspir resilience',
  },
  technology: {
    emoji: '💻',
    stems:
      'software computer program code. coding server database laptop app. apps internet algorithm robot website browser cloud. device hardware engineer battery phone api. bug. bugs deploy',
  },
  business: {
    emoji: '📈',
    stems:
      'business customer client market. marketing revenue sales quarter. profit strateg compan vendor negotiat partnership contract supplier stakeholder',
  },
  social: {
    emoji: '🎉',
    stems:
      'party. parties dinner drinks hangout gathering barbecue celebrate guest friends invite gossip reunion',
  },
  work: {
    emoji: '💼',
    stems:
      'meeting project deadline colleague manager office report. reports team. presentation email agenda standup sprint roadmap interview promotion boss. review. client',
  },
  sports: {
    emoji: '🏅',
    stems:
      'football soccer basketball tennis baseball golf. hockey match. championship league goal. goals player coach. marathon cricket athlete stadium referee',
  },
  politics: {
    emoji: '🏛️',
    stems:
      'politic election vote. votes voter senator congress parliament president government minister democra republic policy campaign',
  },
  literature: {
    emoji: '📚',
    stems:
      'novel. novels poem poet author chapter book. books literat fiction writer prose manuscript narrator shakespeare',
  },
  history: {
    emoji: '🏺',
    stems:
      'histor century ancient empire war. wars medieval revolution king. queen. dynasty archaeolog colonial civilization',
  },
  architecture: {
    emoji: '🏗️',
    stems:
      'architect building facade blueprint skyscraper column. arch. cathedral floorplan renovation brick',
  },
  music: {
    emoji: '🎵',
    stems:
      'music song. songs guitar piano album concert band. melody singer violin orchestra lyric drum chord playlist',
  },
  weather: {
    emoji: '🌦️',
    stems:
      'weather rain. rainy snow. sunny cloudy storm forecast temperature humid thunder wind. windy drizzle',
  },
  news: {
    emoji: '📰',
    stems: 'news. newspaper headline journalist reporter breaking. broadcast press. article',
  },
  entertainment: {
    emoji: '🎬',
    stems:
      'movie film. films netflix actor actress series episode game. games gaming comedy theater cinema television show. celebrity',
  },
  psychology: {
    emoji: '🧩',
    stems:
      'psycholog anxiety depress therap trauma emotion cognitive behavior habit. habits subconscious attachment',
  },
  real: {
    emoji: '🏠',
    stems: 'realtor landlord tenant lease. mortgage property properties rent. listing bedroom zoning',
  },
  design: {
    emoji: '🎨',
    stems:
      'design. designer layout typograph font. fonts color palette mockup wireframe figma logo. prototype sketch',
  },
  family: {
    emoji: '👨‍👩‍👧',
    stems:
      'family mother father mom. dad. sister brother son. daughter grandm grandf aunt. uncle. cousin children kids. wife. husband parents baby',
  },
  economics: {
    emoji: '📊',
    stems: 'econom inflation gdp. unemployment recession supply. demand. tariff monetary fiscal macro trade.',
  },
  environment: {
    emoji: '🌱',
    stems:
      'environment climate carbon recycl pollution emission forest wildlife renewable solar. ecosystem biodivers conservation sustainab',
  },
};

/** All categories of the API. */
export const conversationCategories: readonly string[] = [...Object.keys(vocabulary), 'other'];

const matchers = Object.entries(vocabulary).map(([category, { stems }]) => ({
  category,
  whole: new Set(
    stems
      .split(/\s+/)
      .filter((stem) => stem.endsWith('.'))
      .map((stem) => stem.slice(0, -1)),
  ),
  stems: stems.split(/\s+/).filter((stem) => !stem.endsWith('.')),
}));

/**
 * A category needs one matching word for each `wordsPerHit` words of a text, because a single word does not show the
 * topic of a long talk.
 */
const wordsPerHit = 120;

/** Maximum number of different words that are compared with the vocabulary. Only artificial texts have more. */
const mostWords = 20_000;

/**
 * Returns the category with the most vocabulary in the text. The first occurrence of a word counts fully, repetitions
 * count little. Returns `other` if no category has enough matching words for the length of the text.
 */
export const categoryOf = (text: string): { category: string; emoji: string } => {
  const tokens = tokensOf(text);
  const counts = new Map<string, number>();
  for (const token of tokens) {
    const count = counts.get(token);
    if (count !== undefined || counts.size < mostWords) counts.set(token, (count ?? 0) + 1);
  }
  let best = { category: 'other', score: 0 };
  for (const { category, whole, stems } of matchers) {
    let score = 0;
    for (const [token, count] of counts) {
      if (whole.has(token) || stems.some((stem) => token.startsWith(stem))) score += 1 + Math.log2(count) / 2;
    }
    if (score > best.score) best = { category, score };
  }
  const enough = Math.max(1, Math.min(3, tokens.length / wordsPerHit));
  if (best.score < enough) return { category: 'other', emoji: '🧠' };
  return { category: best.category, emoji: vocabulary[best.category]!.emoji };
};
