/**
 * English introductions, and other sentences. At least four in five introductions must give the name. At most one in fifty other
 * sentences may give a name: a missed name costs a click, but an invented name adds a person.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { z } from 'zod';
import { introductionSearch } from '../../src/transcript/names/introduced-name.js';
import { introducedName } from './introduced.js';

const file = fileURLToPath(new URL('../../../fixtures/names/introductions.json', import.meta.url));
/** The file of further sentences. Many are written as recognisers write them. */
const more = z
  .object({ introductions: z.array(z.tuple([z.string(), z.string()])), others: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(file, 'utf8')));

const introductions: readonly (readonly [said: string, name: string])[] = [
  ["Hi, I'm Anna.", 'Anna'],
  ["Hello everyone, I'm Conor and I live in Cork.", 'Conor'],
  ['My name is Priya.', 'Priya'],
  ["My name's Tom Baker.", 'Tom'],
  ["Good morning, my name is Ingrid Olsen and I'm your guide today.", 'Ingrid'],
  ['I am Sarah from accounting.', 'Sarah'],
  ["Hey, I'm Julian, the new intern.", 'Julian'],
  ["Hi there, I'm Brian.", 'Brian'],
  ["so i'm here today and my name is kevin", 'Kevin'],
  ['hello my name is maria garcia and i work at the bank', 'Maria'],
  ['Mary-Jane is my name.', 'Mary-Jane'],
  ["I'm Dr. Patel, your surgeon.", 'Patel'],
  ["I'm Emily, nice to meet you.", 'Emily'],
  ["Let me introduce myself. I'm Sebastian.", 'Sebastian'],
  ["I'd like to introduce myself, I'm Vivian.", 'Vivian'],
  ["The name's Bond. James Bond.", 'Bond'],
  ['You can call me Liz.', 'Liz'],
  ['Please call me Ted.', 'Ted'],
  ['Everyone calls me Sunny, by the way.', 'Sunny'],
  ['My friends call me Max.', 'Max'],
  ['I go by Alex.', 'Alex'],
  ["Hi, this is Rachel from the dentist's office.", 'Rachel'],
  ['This is Omar speaking.', 'Omar'],
  ["Hello, it's Nadia again.", 'Nadia'],
  ["Hi mom, it's me, Peter.", 'Peter'],
  ['Hi, Lucas here.', 'Lucas'],
  ['Fatima speaking, how can I help?', 'Fatima'],
  ["As I said, I'm Helen.", 'Helen'],
  ["Well, I'm Kelly, and this is my brother.", 'Kelly'],
  ["Okay, so I'm Fred, I'm the plumber.", 'Fred'],
  ["I'm O'Brien, the landlord.", "O'Brien"],
  ["I'm Jean-Luc.", 'Jean-Luc'],
  ["Nice to meet you, I'm Chidi.", 'Chidi'],
  ['Thanks for coming. I am Zoë.', 'Zoë'],
  ["I'm Mohammed, your driver.", 'Mohammed'],
  ["I'm Hannah Schmidt with the city council.", 'Hannah'],
  ['My name is Legolas, like in the book.', 'Legolas'],
  ["Sorry I'm late. I'm Dean.", 'Dean'],
  ["I'm AJ, by the way.", 'AJ'],
  ["I'm Grace and I'll be your waitress tonight.", 'Grace'],
  ['Yes, hello, I am Yusuf, I called yesterday.', 'Yusuf'],
  ["And I'm Trish, his wife.", 'Trish'],
  ["I'm called Winston.", 'Winston'],
  ['My first name is Adaeze.', 'Adaeze'],
  ["Um, hi, I'm Ling.", 'Ling'],
  ["No, I'm Molly, Holly is my twin.", 'Molly'],
  ["I'm April.", 'April'],
  ["Hello, I'm June from next door.", 'June'],
  ["I'm Mr. Henderson, your new teacher.", 'Henderson'],
  ["Evening all, I'm Siobhán.", 'Siobhán'],
  ['Hi, my name is Olivia and I will be presenting today.', 'Olivia'],
  ["Hello, I'm Marcus, I run the bakery next door.", 'Marcus'],
  ['hey everyone my name is Dmitri', 'Dmitri'],
  ['Good evening, I am Chloe, your flight attendant.', 'Chloe'],
  ["Hi! I'm Wei.", 'Wei'],
  ["I'm Nina, I'm calling about the apartment.", 'Nina'],
  ["Hi, I'm Noah, Lisa's brother.", 'Noah'],
  ["So, my name is Rafael, and I'm a nurse.", 'Rafael'],
  ["Hey, I'm Ian.", 'Ian'],
  ["Name's Gary.", 'Gary'],
  ["My name's Siobhan, with an H.", 'Siobhan'],
  ["I'm Sofia, I'm from Lisbon.", 'Sofia'],
  ["Nice to meet you too, I'm Raj.", 'Raj'],
  ["Great to be here, I'm Keisha.", 'Keisha'],
  ["I'm sorry, I'm Tobias by the way.", 'Tobias'],
  ["Oh hi, I'm the new neighbor, I'm Clara.", 'Clara'],
  ['My full name is Benjamin Franklin Pierce.', 'Benjamin'],
  ['Hello, Anita speaking.', 'Anita'],
  ['Good morning, this is Pedro from the garage.', 'Pedro'],
  ['Hi, this is Leah.', 'Leah'],
  ["Hey there, it's Jonas.", 'Jonas'],
  ['You can just call me Bea.', 'Bea'],
  ['Friends call me Duke.', 'Duke'],
  ['Everybody calls me Mo.', 'Mo'],
  ['I usually go by Charlie.', 'Charlie'],
  ['The name is Felix.', 'Felix'],
  ["Hello, Mr. Brown, I'm Tessa Green.", 'Tessa'],
  ["I'm Professor Okonkwo.", 'Okonkwo'],
  ["I'm Sister Agnes.", 'Agnes'],
  ["I'm William but people call me Bill.", 'William'],
  ["I'm Ann, spelled without an E.", 'Ann'],
  ["I'm Hassan. I live upstairs.", 'Hassan'],
  ['Yes this is Greta speaking.', 'Greta'],
  ['Hi, Dr. Lopez here.', 'Lopez'],
  ["I'm Eve, I'll be your midwife.", 'Eve'],
  ["Welcome, I'm Kofi and this is my wife Ama.", 'Kofi'],
  ["Before we start, I'm Ruth.", 'Ruth'],
  ["For those who don't know me, I'm Simon.", 'Simon'],
  ["If you don't know me, I'm Simon.", 'Simon'],
  ["In case we haven't met, I'm Zara.", 'Zara'],
  ["We haven't met. I'm Beatriz.", 'Beatriz'],
  ['Let me start. My name is Akira.', 'Akira'],
  ["We met last year, I'm Oscar.", 'Oscar'],
  ["I'm Margaret, but you can call me Maggie.", 'Margaret'],
  ['Hi this is Yuki calling from Osaka.', 'Yuki'],
  ["Hi guys, I'm Ella.", 'Ella'],
  ["What's up, I'm Jamal.", 'Jamal'],
  ['My name is Elizabeth Warren.', 'Elizabeth'],
  ["Okay my name is Paul and I'm an addict.", 'Paul'],
  ["It's nice to meet you. I'm Hiroshi.", 'Hiroshi'],
];

const others: readonly string[] = [
  'I am Brazilian.',
  "I'm Texan, born and raised.",
  'I am a doctor.',
  "I'm Like, so over it.",
  "I'm American, and I'm tired.",
  "I'm Irish on my mother's side.",
  "I am Catholic but I don't go to church.",
  'She said, "I\'m Anna."',
  "He was like, I'm Batman.",
  "He said I'm Peter and then he left.",
  '"I\'m Hamlet," the actor shouted.',
  "People think I'm Julia.",
  'In the movie he says my name is Neo.',
  "I'm Anna's sister.",
  "I'm Tom's lawyer.",
  "I'm Google certified.",
  "I'm Going to Paris.",
  "I'm Sorry.",
  "I'm Excited about Friday.",
  "I'm Really tired.",
  'I AM TIRED.',
  "I'm OK.",
  "I'm Scorpio, what are you?",
  "I'm Team Edward.",
  "I'm Head of Sales.",
  "I'm CEO of a small company.",
  "I'm Captain of the team.",
  "I'm Monday to Thursday at the office.",
  "If I'm Anna then who are you?",
  "I'm not Anna.",
  "Don't call me Bob.",
  'Call me Tomorrow.',
  'Call me Crazy.',
  'He calls me Honey.',
  'This is London.',
  'This is my friend Tom.',
  'This is Tom, my brother.',
  'Her name is Ann.',
  "My dog's name is Rex.",
  'My name is on the list.',
  'What is my name?',
  'Do you know that song, My Name Is Jonas?',
  'I watched I Am Legend yesterday.',
  'The book is called I Am Malala.',
  "I'm Democrat and proud of it.",
  "I'm Vietnamese.",
  "I'm Muslim.",
  'Right here.',
  "Generally speaking, I'm happy.",
  'Am I Anna?',
  "The waiter goes, hi, I'm Steve.",
  "I told them I'm Portuguese.",
  "Wish I was in Paris. I'm London based.",
  "I'm Anna?",
  "I'm Gujarati.",
  'I am Iron Man.',
  "I'm Manchester United through and through.",
  "I'm Vegan, no dairy please.",
  'I am Buddhist.',
  "I'm Gen Z.",
  "I'm Type A, I guess.",
  "I'm Python certified.",
  "I'm German and I love bread.",
  "I'm Jewish by birth.",
  "I'm Korean American.",
  'I am New to this.',
  "I'm Legally blind.",
  "I'm Chief of staff here.",
  "I'm President of the chess club.",
  "I'm Nurse in charge tonight.",
  "I'm Hungover.",
  "I'm Curious about that.",
  "I'm Happy to help.",
  "I'm Late, sorry.",
  "I'm Back.",
  "I'm Done.",
  "I'm Here.",
  "I'm Ready when you are.",
  "I'm In.",
  "I'm Up for it.",
  "I'm All ears.",
  "I'm No expert.",
  "I'm Kind of a big deal.",
  "I'm Pro Europe.",
  "Tom said hi, I'm Tom.",
  "My teacher always says I'm Einstein.",
  "They told me I'm Chinese.",
  'He introduced himself, "Hi, my name is Carl."',
  'Then this guy comes up and says my name is Inigo.',
  "You think I'm Santa?",
  "I feel like I'm Cinderella.",
  "Pretend I'm Maria.",
  'If my name is Bob, what is yours?',
  'She thought my name was Bob.',
  'The main character says I am Katniss.',
  'I am Legend is a great movie.',
  'My name is Khan is a Bollywood movie.',
  "I'm Spanish, from Valencia.",
  "I'm Canadian.",
  "I'm Tokyo based.",
  "I'm Uber tired.",
  "I'm Monday's host.",
  "I'm Grandma's favorite.",
  "I'm Dad now.",
  "I'm Mom to two boys.",
  "I'm Bilingual.",
  'This is Sparta.',
  'This is Anna, she is new here.',
  "It's Friday.",
  "Hey, it's Christmas!",
  'Hello, this is Customer Service.',
  "Out here it's cold.",
  'Nobody here knows.',
  'Public speaking scares me.',
  'Frankly speaking, no.',
  'Call me when you get home.',
  'Call me Monday.',
  'They call me lazy.',
];

t.test('returns the first name from an introduction', async (t) => {
  t.ok(introductions.length >= 100);
  for (const language of ['en', 'en-GB', 'multi'])
    for (const [said, name] of introductions)
      t.equal(introducedName(said, language), name, `${language}: ${said}`);
});

t.test('returns no name for nationalities, moods, professions, quotations and other people', async (t) => {
  t.ok(others.length >= 100);
  for (const language of ['en', 'de', 'multi'])
    for (const said of others) t.equal(introducedName(said, language), null, `${language}: ${said}`);
});

t.test('recognises lower-case names, names that are also words, and other phrases', async (t) => {
  t.ok(more.introductions.length >= 200 && more.others.length >= 200);
  for (const [said, name] of more.introductions) t.equal(introducedName(said, 'en'), name, said);
  for (const said of more.others) t.equal(introducedName(said, 'en'), null, said);
});

t.test(
  'ignores English words that look like phrases of other languages when the language is unknown',
  async (t) => {
    const cases = [
      'Ben Stiller was on television.',
      'Soy Milk is what I bought.',
      'Some Sono Systems are loud.',
      'Ja Rule sang.',
    ];
    for (const said of cases) t.equal(introducedName(said, 'multi'), null, said);
    t.equal(
      introducedName('Er sagte: „Ich heiße Jürgen“, und ging.', 'de'),
      null,
      "quoted words are another person's",
    );
  },
);

t.test('needs CPU time in proportion to the length of a text', async (t) => {
  const parts = [
    "I'm ",
    'A ',
    'Anna is my name ',
    'I am Anna Smith ',
    'my name is ',
    "'",
    '"',
    'hi ',
    'Call me ',
    "it's anna ",
    'anna here ',
    'hi ben ',
    'my friends ',
    'they call me ',
  ];
  const cpu = (text: string): number => {
    const before = process.cpuUsage();
    for (let round = 0; round < 20; round++) introducedName(text, 'multi');
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  cpu('Compile what is compiled once.');
  for (const part of parts) {
    const short = part.repeat(250 / part.length);
    const once = Math.max(cpu(short), 5_000);
    t.ok(cpu(short.repeat(8)) < 32 * once, JSON.stringify(part));
  }
});

t.test('needs little CPU time for texts that patterns can divide in many ways', async (t) => {
  const cpu = (text: string): number => {
    const before = process.cpuUsage();
    for (let round = 0; round < 5; round++) introducedName(text, 'multi');
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const filled = (part: string): string => part.repeat(500 / part.length);
  const ordinary = filled('This is Rosa from Lisbon. I am at the door. ');
  cpu(ordinary);
  const usual = Math.max(cpu(ordinary), 5_000);
  for (const part of ['Mc ', 'Mc   ', 'O ', 'Rosa Mc O ', 'Dr Mc ', 'This is Rosa from '])
    t.ok(cpu(filled(part)) < 32 * usual, JSON.stringify(part));
});

t.test('a text with words of all languages is searched in steps', async (t) => {
  const words = 'heter heiße llamo appelle chiamo nimeni vardas jmenuji numesc zovem adım nevem меня зовут';
  const search = introductionSearch(words, 'xx');
  let steps = 0;
  while (!search.next().done) steps++;
  t.ok(steps >= 10, `${steps} steps`);
  t.equal(introducedName('… меня зовут Анна', 'xx'), 'Анна');
});
