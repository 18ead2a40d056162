/**
 * Segments that their user corrected. Automatic writes change neither the text nor the speaker of such a segment, and
 * do not delete it. A trigger enforces this for every writer, also for programs of an earlier release. A correction by
 * the user raises `corrections`, so the trigger allows it.
 *
 * When a user moves a segment to another conversation, a deleted row with `by_user` and without text stays in the first
 * conversation. So a repeated write of an engine does not restore the segment there.
 */
export const correctedSegmentsSchema = `
alter table segments add column by_user boolean not null default false;
-- how often its user changed the segment: the revision without these changes is that of the last automatic write
alter table segments add column corrections integer not null default 0;
-- whether its user named the speaker of this segment alone: naming all segments of the speaker leaves it out
alter table segments add column named_alone boolean not null default false;
-- number of words when its user changed the segment first: words of a late write beyond them are new
alter table segments add column written_words integer;

create function keep_corrected_segment() returns trigger language plpgsql as $$
begin
  new.text := old.text;
  new.speaker := old.speaker;
  new.speaker_id := old.speaker_id;
  new.is_user := old.is_user;
  new.person_id := old.person_id;
  new.deleted := old.deleted;
  new.by_user := old.by_user;
  new.named_alone := old.named_alone;
  return new;
end
$$;
create trigger keep_corrected_segment before update on segments for each row
  when (old.by_user and new.corrections = old.corrections)
  execute function keep_corrected_segment();
`;
