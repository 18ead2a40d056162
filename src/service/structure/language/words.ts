const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const fillers =
  words(`uh um uhm umm hmm hm mm mhm mmm mmhmm erm er ah oh ooh aah eh huh wow okay ok alright right yep yup
  sure well so like anyway bye hello hi hey thanks thank welcome cool nice great gotcha ha haha`);

const functionWords =
  words(`a an the and or but nor if then than that this these those there here it its it's is are was were
  be been being am i i'm i've i'd i'll you you're you've your yours we we're we've our ours they they're their theirs he
  he's his him she she's her hers them me my mine us of to in on at by for from with without about into over under again
  as up down out off not do does did doing don't didn't doesn't have has had having can can't could would should
  will won't shall may might must just very too also really actually basically quite some any all each both more most
  other such only own same who whom whose which what what's when where why how that's there's let's let get got gonna
  go going went come say said says know think see look want one thing things something anything nothing mean kind sort
  lot bit maybe because while until after before during yeah um uh like okay oh well so right now still even much many
  every around back them through across between against along upon its`);

/** Returns the words of a text in lower case. Apostrophes inside words stay. In scripts without spaces, each character is a word. */
export const tokensOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];

/** Cuts a text to at most `length` code units. Keeps surrogate pairs together, because PostgreSQL refuses halves. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/\p{Surrogate}$/u, '');

/** Whether a token is a sound or acknowledgement without content. */
export const isFiller = (token: string): boolean => fillers.has(token);

/**
 * Whether a word has only a grammatical function. "Yes" and "no" are not function words, because they have a meaning as
 * answers.
 */
export const isFunctionWord = (token: string): boolean => functionWords.has(token);

/** Whether a word says something about the subject of a text. */
export const isContentWord = (token: string): boolean =>
  token.length > 2 && !fillers.has(token) && !functionWords.has(token) && !/^\d+$/.test(token);
