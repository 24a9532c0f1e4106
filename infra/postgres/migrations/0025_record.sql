-- Acts of operators are lines of a log now, in the place of rows beside it.
drop table account_act;

-- The operators' records in the order in which they were in use, the last of which is. Their lines are in `event`, but
-- none is in `stream`: so the server's functions append to none, and its reads of whole streams find none.
create table record (
    number bigint generated always as identity primary key,
    id uuid not null
);
create trigger refuse_change before update or delete on record for each row execute function refuse_change();
create trigger refuse_truncate before truncate on record for each statement execute function refuse_change();
alter table record enable always trigger refuse_change;
alter table record enable always trigger refuse_truncate;
revoke all on record from public, spina_app;
-- A start asks which one is in use; which ids there are, all readers of the ledger know.
grant select on record to spina_app;

-- Ids of records begin with six zero bytes (domain/derived_ids.py). The server's functions open no stream of such an id, so
-- that no other login begins the record of a ledger to come. Openings alone ask: an append is an update of its row.
create function refuse_record() returns trigger language plpgsql as $$
begin
    raise exception '% is the id of an operators'' record, which the owner alone opens', new.id
        using errcode = 'invalid_parameter_value';
end $$;
revoke all on function refuse_record from public;
create trigger refuse_record before insert on stream for each row
    when (new.id between '00000000-0000-8000-0000-000000000000' and '00000000-0000-8fff-ffff-ffffffffffff')
    execute function refuse_record();
alter table stream enable always trigger refuse_record;

-- Append lines to a record, in the transaction of the act: with the owner's rights alone. False says that others did
-- before, and that nothing is written. The line's form is checked, and its place under the lock, as in `append_batch`.
create function append_record(
    record_id uuid, expected integer, head_before bytea, types text[], hashes bytea[], bodies bytea[]
)
returns boolean language plpgsql set search_path = spina, pg_temp as $$
#variable_conflict use_column
declare
    count constant integer := cardinality(bodies);
    prev bytea := head_before;
    newest integer := 0;
    head bytea := decode(repeat('00', 32), 'hex');
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'append_record needs read committed, not %', current_setting('transaction_isolation');
    end if;
    for place in 1..count loop
        if (sha256(bodies[place]) = hashes[place]
            and line_fits(bodies[place], prev, record_id, types[place], expected + place)) is not true
        then
            raise exception 'the lines do not fit their hashes or places' using errcode = 'invalid_parameter_value';
        end if;
        prev := hashes[place];
    end loop;

    perform pg_advisory_xact_lock(5785247042114);
    for newest, head in select version, hash from event where stream = record_id order by version desc limit 1 loop
    end loop;
    if newest <> expected or head <> head_before then
        return false;
    end if;
    insert into event (position, stream, version, type, hash, body)
    select nextval('event_position'), record_id, expected + place, types[place], hashes[place], bodies[place]
      from generate_series(1, count) place;
    return true;
end $$;
revoke all on function append_record from public;
