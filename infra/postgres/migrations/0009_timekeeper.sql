-- What whoever keeps the clocks must still know after a restart. None of it is asked when a game is decided: it says
-- which games to look at, and that nobody was there to look.

create table timekeeper (
    is_only boolean primary key default true check (is_only),
    -- How far the log has been read for games with a clock.
    position bigint not null,
    -- When somebody last kept the clocks, in milliseconds since 1970; null before the first time.
    beat_ms bigint
);
insert into timekeeper (position) values (0);

-- The games with a clock that were opened and have not ended, as far as the log has been read.
create table watched_clock (
    stream uuid primary key,
    per_decision_ms bigint not null
);

-- From the last beat before nobody was there to the first one after it.
create table absence (
    id bigint generated always as identity primary key,
    from_ms bigint not null,
    to_ms bigint not null check (to_ms > from_ms),
    is_given_back boolean not null default false
);
create index absence_owed_key on absence (id) where not is_given_back;

-- Say that somebody keeps the clocks now. A gap since the last time becomes an absence in the same transaction, so that
-- nobody can notice it and forget. Returns the absences that were not given back yet.
create function timekeeper_beat(now_ms bigint, absence_min_ms bigint)
returns table (id bigint, from_ms bigint, to_ms bigint)
language plpgsql security definer set search_path = spina, pg_temp as $$
#variable_conflict use_column
declare
    before_ms bigint;
begin
    select beat_ms into before_ms from timekeeper for update;
    if now_ms - before_ms >= absence_min_ms then
        insert into absence (from_ms, to_ms) values (before_ms, now_ms);
    end if;
    -- A clock that was moved back is followed: what it then leaps over again is an absence as any other.
    update timekeeper set beat_ms = now_ms;
    return query select id, from_ms, to_ms from absence where not is_given_back order by id;
end $$;

-- Take in what a part of the log says, from where the caller began to read and from nowhere else. Returns false where
-- somebody else has read on meanwhile, and nothing is stored.
create function timekeeper_follow(
    expected_position bigint, new_position bigint, opened uuid[], per_decision_ms bigint[], ended uuid[]
) returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    update timekeeper set position = new_position where position = expected_position;
    if not found then
        return false;
    end if;
    insert into watched_clock select * from unnest(opened, per_decision_ms);
    delete from watched_clock where stream = any (ended);
    return true;
end $$;

create function timekeeper_gave_back(through_id bigint)
returns void language sql security definer set search_path = spina, pg_temp as $$
    update absence set is_given_back = true where id <= through_id and not is_given_back
$$;

revoke all on function timekeeper_beat, timekeeper_follow, timekeeper_gave_back from public;
grant execute on function timekeeper_beat, timekeeper_follow, timekeeper_gave_back to spina_app;
revoke all on timekeeper, watched_clock, absence from public, spina_app;
grant select on timekeeper, watched_clock, absence to spina_app;
