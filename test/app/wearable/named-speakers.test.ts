/** Tests the names of speakers that are given with `cochlea listen --speaker`. */
import t from 'tap';
import { NamedSpeakers, speakerNameArgument } from '../../../src/app/listen/named-speakers.js';

t.test('parses speaker numbers and names', async (t) => {
  const names = speakerNameArgument('1=Ann Lee ', speakerNameArgument('0=user'));
  t.same(
    [...names],
    [
      [0, 'user'],
      [1, 'Ann Lee'],
    ],
  );
  t.same([...speakerNameArgument('3=a=b')], [[3, 'a=b']]);
  for (const text of ['', 'Ann', '=Ann', '1=', '1=  ', '-1=Ann', '1.5=Ann', '1234567=Ann'])
    t.throws(() => speakerNameArgument(text), /as in 1=Ann/, text);
});

t.test('names each speaker once, with the first words', async (t) => {
  const named = new NamedSpeakers(
    new Map(Object.entries({ 0: 'user', 2: 'Ann' }).map(([n, name]) => [+n, name])),
  );
  t.same(named.segments([{ speaker_id: 1 }]), []);
  const messages = named.segments([{ speaker_id: 2 }, { speaker_id: 2 }, { speaker_id: 0 }]);
  t.same(
    messages.map((text) => JSON.parse(text)),
    [
      { type: 'speaker_assigned', speaker_id: 2, person_id: 'new', person_name: 'Ann', segment_ids: [] },
      { type: 'speaker_assigned', speaker_id: 0, person_id: 'user', person_name: 'user', segment_ids: [] },
    ],
  );
  t.same(named.segments([{ speaker_id: 0 }, { speaker_id: 2 }]), []);
});
