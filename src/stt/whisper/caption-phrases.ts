/**
 * Phrases that Whisper models write for sound without speech. They stem from captions of videos, whose last seconds
 * often contain music or noise. For each language, the list contains thanks to viewers, requests to subscribe, goodbyes
 * until the next video, and credits of captions.
 */
const phrases: Readonly<Record<string, readonly string[]>> = {
  en: [
    'thank you',
    'thank you very much',
    'thank you so much',
    'thanks for watching',
    'thank you for watching',
    'thank you so much for watching',
    'please subscribe',
    'please subscribe to my channel',
    'like and subscribe',
    'see you next time',
    'see you in the next video',
    "i'll see you in the next video",
    "we'll see you in the next video",
    'bye',
    'bye bye',
    'subtitles by the amara.org community',
  ],
  de: [
    'vielen dank',
    'vielen dank fürs zuschauen',
    'danke fürs zuschauen',
    'bis zum nächsten mal',
    'untertitel der amara.org-community',
    'untertitel im auftrag des zdf für funk',
  ],
  fr: [
    'merci',
    "merci d'avoir regardé cette vidéo",
    "merci d'avoir regardé",
    'abonnez-vous',
    'à la prochaine',
    "sous-titres réalisés par la communauté d'amara.org",
    "sous-titres réalisés para la communauté d'amara.org",
    'sous-titrage société radio-canada',
    "sous-titrage st' 501",
  ],
  es: [
    'gracias',
    'gracias por ver el video',
    'gracias por ver',
    'suscríbete',
    'hasta la próxima',
    'subtítulos realizados por la comunidad de amara.org',
    'subtítulos por la comunidad de amara.org',
  ],
  it: [
    'grazie',
    'grazie per la visione',
    'grazie a tutti',
    'sottotitoli creati dalla comunità amara.org',
    'sottotitoli e revisione a cura di qtss',
  ],
  pt: ['obrigado', 'obrigado por assistir', 'legendas pela comunidade amara.org', 'até a próxima'],
  nl: [
    'bedankt voor het kijken',
    'tot de volgende keer',
    'ondertitels ingediend door de amara.org gemeenschap',
  ],
  pl: [
    'dziękuję',
    'dziękuję za uwagę',
    'dzięki za oglądanie',
    'napisy stworzone przez społeczność amara.org',
  ],
  ru: [
    'спасибо',
    'спасибо за просмотр',
    'продолжение следует',
    'до новых встреч',
    'подписывайтесь на канал',
    'субтитры сделал dimatorzok',
    'субтитры создавал dimatorzok',
  ],
  ja: [
    'ご視聴ありがとうございました',
    'ご視聴ありがとうございます',
    'ありがとうございました',
    'チャンネル登録お願いします',
    'おやすみなさい',
  ],
  zh: [
    '谢谢观看',
    '謝謝觀看',
    '谢谢大家',
    '字幕由amara.org社区提供',
    '请不吝点赞订阅转发打赏支持明镜与点点栏目',
  ],
  ko: ['시청해주셔서 감사합니다', '감사합니다', '구독과 좋아요 부탁드립니다'],
};

const compared = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

const known = new Set(Object.values(phrases).flat().map(compared));

/** Maximum number of characters of a text that is searched for the phrases. */
const longest = 1000;

/**
 * Whether a text consists only of phrases in `phrases`, once or repeated, in any of the languages. Case, spaces and
 * punctuation are ignored. A text that contains anything else, or nothing, does not count.
 */
export const isCaption = (text: string): boolean => {
  const rest = compared(text.slice(0, longest + 1));
  if (rest === '' || text.length > longest) return false;
  // Positions at which a sequence of phrases ends.
  const ends = new Set([0]);
  for (let at = 0; at < rest.length; at++)
    if (ends.has(at))
      for (const phrase of known) if (rest.startsWith(phrase, at)) ends.add(at + phrase.length);
  return ends.has(rest.length);
};
