/**
 * English introductions, and sentences that are none. At most one of fifty of these may give a name, and four of five of those have to:
 * a name that is missed costs a click, one that is invented adds a person.
 */
import t from 'tap';
import { introducedName } from '../../src/transcript/index.js';

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
];

t.test('introductions give the first name of the speaker', async (t) => {
  t.ok(introductions.length >= 50);
  for (const language of ['en', 'en-GB', 'multi'])
    for (const [said, name] of introductions)
      t.equal(introducedName(said, language), name, `${language}: ${said}`);
});

t.test('peoples, moods, professions, quotations and other persons give none', async (t) => {
  t.ok(others.length >= 50);
  for (const language of ['en', 'de', 'multi'])
    for (const said of others) t.equal(introducedName(said, language), null, `${language}: ${said}`);
});

t.test('where the language is not known, words of English are no forms of other languages', async (t) => {
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
});

t.test('the time that a text takes grows with its length and not faster', async (t) => {
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
