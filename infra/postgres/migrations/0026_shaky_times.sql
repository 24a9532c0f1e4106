-- Short gaps between heartbeats that follow each other are one absence: a server that starts anew again and again serves no
-- player in between.
alter table timekeeper
    -- From the last beat on time before the first late one, to the newest late one.
    add column shaky_from_ms bigint,
    add column shaky_to_ms bigint;

drop function timekeeper_beat(bigint, bigint);

-- Say that a session keeps the clocks now. A late beat goes on with the shaky time before it, unless the beats came on time
-- for as long as an absence lasts at least. What comes to that length becomes an absence in the same transaction, so that no
-- session can notice it and forget. Returns the absences that were not given back yet.
create function timekeeper_beat(now_ms bigint, late_ms bigint, absence_min_ms bigint)
returns table (id bigint, from_ms bigint, to_ms bigint)
language plpgsql security definer set search_path = spina, pg_temp as $$
#variable_conflict use_column
declare
    before_ms bigint;
    start_ms bigint;
begin
    select beat_ms, case when shaky_to_ms between beat_ms - absence_min_ms + 1 and beat_ms then shaky_from_ms else beat_ms end
      into before_ms, start_ms from timekeeper for update;
    if now_ms - before_ms >= late_ms then
        if now_ms - start_ms >= absence_min_ms then
            insert into absence (from_ms, to_ms) values (start_ms, now_ms);
            start_ms := now_ms;
        end if;
        update timekeeper set shaky_from_ms = start_ms, shaky_to_ms = now_ms;
    end if;
    -- A clock that was moved back is followed: what it then leaps over again is an absence as any other.
    update timekeeper set beat_ms = now_ms;
    return query select id, from_ms, to_ms from absence where not is_given_back order by id;
end $$;
revoke all on function timekeeper_beat from public;
grant execute on function timekeeper_beat to spina_app;
