import t from 'tap';
import { introducedLanguages } from '../../src/transcript/names/introduced-name.js';
import { introducedName } from './introduced.js';

/** For each language, a sentence with a name and a similar sentence without a name. */
const table: readonly (readonly [language: string, text: string, name: string | null])[] = [
  ['bg', 'Здравейте, казвам се Мария.', 'Мария'],
  ['bg', 'Аз съм уморен.', null],
  ['ca', 'Hola, em dic Jordi i visc aquí.', 'Jordi'],
  ['ca', 'Soc molt alt.', null],
  ['cs', 'Dobrý den, jmenuji se Petra.', 'Petra'],
  ['cs', 'Jsem doma.', null],
  ['da', 'Hej, jeg hedder Freja.', 'Freja'],
  ['da', 'Jeg er træt.', null],
  ['de', 'Hallo, ich heiße Jürgen.', 'Jürgen'],
  ['de', 'Guten Tag, mein Name ist Anna Schmidt.', 'Anna'],
  ['de', 'Ich bin Lehrer.', null],
  ['el', 'Γεια σας, με λένε Ελένη.', 'Ελένη'],
  ['el', 'Είμαι κουρασμένος.', null],
  ['en', "Hi, I'm Anna.", 'Anna'],
  ['en', 'My name is Conor and I live in Cork.', 'Conor'],
  ['en', 'Mary-Jane is my name.', 'Mary-Jane'],
  ['en', "I'm American, and I'm tired.", null],
  ['en', "I'm going to Paris.", null],
  ['en', 'I am in.', null],
  ['es', 'Buenas, me llamo Lucía.', 'Lucía'],
  ['es', 'Soy médico.', null],
  ['et', 'Tere, minu nimi on Mari.', 'Mari'],
  ['et', 'Ma olen väsinud.', null],
  ['fi', 'Hei, nimeni on Aino.', 'Aino'],
  ['fi', 'Minä olen väsynyt.', null],
  ['fr', "Bonjour, je m'appelle Chloé.", 'Chloé'],
  ['fr', 'Je suis Français.', null],
  ['hi', 'नमस्ते, मेरा नाम राहुल है।', 'राहुल'],
  ['hi', 'मेरा घर बड़ा है।', null],
  ['hu', 'Jó napot, a nevem Zsófia.', 'Zsófia'],
  ['hu', 'Orvos vagyok.', null],
  ['id', 'Halo, nama saya Budi.', 'Budi'],
  ['id', 'Saya lapar.', null],
  ['it', 'Ciao, mi chiamo Giulia.', 'Giulia'],
  ['it', 'Sono stanco.', null],
  ['ja', 'はじめまして、田中と申します。', '田中'],
  ['ja', '私は学生です。', null],
  ['ko', '안녕하세요, 제 이름은 민수입니다.', '민수'],
  ['ko', '저는 학생입니다.', null],
  ['lt', 'Labas, mano vardas Rūta.', 'Rūta'],
  ['lt', 'Aš esu pavargęs.', null],
  ['lv', 'Sveiki, mani sauc Jānis.', 'Jānis'],
  ['lv', 'Es esmu noguris.', null],
  ['ms', 'Hai, nama saya Aisyah.', 'Aisyah'],
  ['ms', 'Saya penat.', null],
  ['nl', 'Hallo, ik ben Sanne.', 'Sanne'],
  ['nl', 'Ik ben moe.', null],
  ['no', 'Hei, jeg heter Ingrid.', 'Ingrid'],
  ['no', 'Jeg er trøtt.', null],
  ['pl', 'Cześć, mam na imię Łukasz.', 'Łukasz'],
  ['pl', 'Jestem zmęczony.', null],
  ['pt', 'Olá, meu nome é João.', 'João'],
  ['pt', 'Eu sou alto.', null],
  ['ro', 'Bună, mă numesc Ștefan.', 'Ștefan'],
  ['ro', 'Eu sunt obosit.', null],
  ['ru', 'Здравствуйте, меня зовут Ольга.', 'Ольга'],
  ['ru', 'Я Вас слушаю.', null],
  ['sk', 'Dobrý deň, volám sa Zuzana.', 'Zuzana'],
  ['sk', 'Som doma.', null],
  ['sv', 'Hej, jag heter Åsa.', 'Åsa'],
  ['sv', 'Jag är trött.', null],
  ['th', 'สวัสดี ผมชื่อสมชายครับ', 'สมชาย'],
  ['th', 'ผมเหนื่อยครับ', null],
  ['tr', 'Merhaba, benim adım Ayşe.', 'Ayşe'],
  ['tr', 'Ben yorgunum.', null],
  ['uk', 'Вітаю, мене звати Тарас.', 'Тарас'],
  ['uk', 'Я втомився.', null],
  ['vi', 'Xin chào, tôi tên là Linh.', 'Linh'],
  ['vi', 'Tôi là sinh viên.', null],
  ['zh', '大家好，我叫李明。', '李明'],
  ['zh', '我是学生。', null],
];

t.test('returns the introduced name in each supported language', (t) => {
  for (const [language, text, name] of table)
    t.equal(introducedName(text, language), name, `${language}: ${text}`);
  for (const language of introducedLanguages) {
    const own = table.filter(([of]) => of === language);
    t.ok(
      own.some(([, , name]) => name !== null) && own.some(([, , name]) => name === null),
      `${language} has both`,
    );
  }
  t.end();
});

t.test('uses English phrases in every language, and all phrases when the language is unknown', (t) => {
  t.equal(introducedName("Hi, I'm Anna.", 'fr'), 'Anna');
  t.equal(introducedName('Hej, jag heter Åsa.', 'multi'), 'Åsa');
  t.equal(introducedName('Hej, jag heter Åsa.', 'en-GB'), null);
  t.equal(introducedName('', 'en'), null);
  t.end();
});

t.test('returns names of at most 50 letters', (t) => {
  const longest = `A${'b'.repeat(49)}`;
  for (const form of ["I'm %.", '% is my name.']) {
    t.equal(introducedName(form.replace('%', longest), 'en'), longest);
    t.equal(introducedName(form.replace('%', `${longest}b`), 'en'), null, 'a longer one is none');
  }
  t.end();
});

t.test('long texts of the words of an introduction are searched in bounded steps', async (t) => {
  const words = [
    'from',
    'from a',
    'again',
    'here',
    'on the phone',
    'at the door',
    'for you',
    'Rosa',
    'here from',
  ];
  for (const word of words)
    for (const start of ['This is Rosa', "it's Rosa", "I'm Rosa", 'Rosa'])
      introducedName(`${start}${` ${word}`.repeat(400)} x`.slice(0, 2000), 'multi');
  t.pass('each search ended');
});
