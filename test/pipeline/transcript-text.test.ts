/** Tests the transcript that a model receives: complete, or its beginning and end. */
import fc from 'fast-check';
import t from 'tap';
import { shortened, transcriptText } from '../../src/pipeline/input/transcript-text.js';
import { textAsSegment } from '../../src/service/conversations/text-conversations.js';

t.test('a line begins with the speaker and continues while that speaker speaks', (t) => {
  const said = [
    { ...textAsSegment('Hello.'), is_user: true },
    { ...textAsSegment('Are you there?'), is_user: true },
    { ...textAsSegment('Yes.'), is_user: false, speaker_id: 2 },
  ];
  t.equal(transcriptText(said, 'Ann', 1000), 'Ann: Hello. Are you there?\nSpeaker 2: Yes.');
  t.equal(transcriptText([], 'Ann', 1000), '');
  t.end();
});

t.test('shortens a long transcript like its complete text', (t) => {
  const segment = fc.record({ text: fc.string({ unit: 'binary', maxLength: 40 }), isUser: fc.boolean() });
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 20 }), fc.integer({ min: 1, max: 120 }), (given, most) => {
      const segments = given.map(({ text, isUser }) => ({ ...textAsSegment(text), is_user: isUser }));
      const whole = transcriptText(segments, null, Number.MAX_SAFE_INTEGER);
      t.equal(transcriptText(segments, null, most), shortened(whole, most));
    }),
  );
  t.end();
});
