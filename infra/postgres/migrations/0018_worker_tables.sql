-- The tables of workers change in the session that holds the worker's lock, and as far as the log says. So a stolen login
-- of the server's role can neither act beside a worker nor pass by lines that wait for it.

create function require_lock() returns trigger language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    if not exists (select from pg_locks
                    where locktype = 'advisory' and objsubid = 1 and granted and pid = pg_backend_pid()
                      and (classid::bigint << 32 | objid::bigint) = tg_argv[0]::bigint)
    then
        raise exception 'this session does not hold the lock %', tg_argv[0] using errcode = 'insufficient_privilege';
    end if;
    return null;
end $$;

-- Of the notary and of the timekeeper: infra/postgres/worker_signs.py has the numbers.
create trigger require_lock before update on ledger_head
    for each statement execute function require_lock('5785247042115');
create trigger require_lock before insert on ledger_checkpoint
    for each statement execute function require_lock('5785247042115');
create trigger require_lock before update on timekeeper
    for each statement execute function require_lock('5785247042116');
create trigger require_lock before insert or update on absence
    for each statement execute function require_lock('5785247042116');

-- Leaves are made of the next events of the log: none is left out, and none made up.
create function check_leaves() returns trigger language plpgsql security definer set search_path = spina, pg_temp as $$
declare
    first bigint;
    last bigint;
begin
    select coalesce((select position from ledger_entry where index = (select min(index) - 1 from added)), 0),
           (select max(position) from added) into first, last;
    if exists (with logged as materialized (
                   select position, stream, version from event where position > first and position <= last)
               select from added full join logged using (position)
                where (added.stream, added.version) is distinct from (logged.stream, logged.version))
    then
        raise exception 'these leaves are not those of the events from % to %', first + 1, last
            using errcode = 'invalid_parameter_value';
    end if;
    return null;
end $$;
create trigger check_leaves after insert on ledger_entry referencing new table as added
    for each statement execute function check_leaves();

-- A checkpoint begins with the name, the size and the root beside it, the newest with the root of the tree.
create function check_checkpoint() returns trigger language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    if not starts_with(new.note, new.origin || E'\n' || new.tree_size || E'\n' || encode(new.root, 'base64') || E'\n\n')
       or exists (select from ledger_head where tree_size = new.tree_size and root <> new.root)
    then
        raise exception 'another root, or another note, than that of % leaves', new.tree_size
            using errcode = 'restrict_violation';
    end if;
    return new;
end $$;
create trigger check_checkpoint before insert on ledger_checkpoint for each row execute function check_checkpoint();

create function check_cosignature() returns trigger language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    if new.line !~ '^— [^ \n]+ [A-Za-z0-9+/=]+\n$' or octet_length(new.line) > 10000 then
        raise exception 'no line of a signature under a note' using errcode = 'invalid_parameter_value';
    end if;
    return new;
end $$;
create trigger check_cosignature before insert on ledger_cosignature
    for each row execute function check_cosignature();

-- The proofs of a stream are kept once it has ended, and of its last line.
create function check_kept() returns trigger language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    if not exists (select from event
                    where stream = new.stream and version = new.version and type = 'secret_disclosed')
    then
        raise exception 'line % is not the last of %', new.version, new.stream using errcode = 'invalid_parameter_value';
    end if;
    return new;
end $$;
create trigger check_kept before insert on kept_proof for each row execute function check_kept();

-- No leaf is passed by that waits for a proof, or whose stream waits for the witness of its opening.
create function check_passed() returns trigger language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    if new.index > (select tree_size from ledger_head) or exists (
        select from ledger_entry entry join event using (stream, version)
         where entry.index >= old.index and entry.index < new.index
           and case when event.type = 'secret_disclosed'
                    then not exists (select from kept_proof where kept_proof.stream = entry.stream)
                    when event.type in ('game_opened', 'tournament_opened')
                    then convert_from(event.body, 'UTF8')::jsonb #> '{data,demands}' ? 'witnessed_opening'
                         and not exists (select from event later where later.stream = entry.stream
                                          and later.type in ('opening_witnessed', 'secret_disclosed'))
               end)
    then
        raise exception 'before leaf % some wait for a proof', new.index using errcode = 'invalid_parameter_value';
    end if;
    return new;
end $$;
create trigger check_passed before update on kept_proof_progress for each row execute function check_passed();

-- The clocks to be watched follow from the lines that were read.
drop function timekeeper_follow;
create function timekeeper_follow(expected_position bigint, new_position bigint)
returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    update timekeeper set position = new_position
     where position = expected_position and new_position <= (select max(event.position) from event);
    if not found then
        return false;
    end if;
    insert into watched_clock (stream, per_decision_ms)
    select stream, per_decision_ms
      from (select stream, (convert_from(body, 'UTF8')::jsonb #>> '{data,clock,per_decision_ms}')::bigint as per_decision_ms
              from event where position > expected_position and position <= new_position and type = 'game_opened') opened
     where per_decision_ms is not null;
    delete from watched_clock where stream in (
        select stream from event
         where position > expected_position and position <= new_position and type = 'secret_disclosed');
    return true;
end $$;

revoke all on function require_lock, check_leaves, check_checkpoint, check_cosignature, check_kept, check_passed,
    timekeeper_follow from public;
grant execute on function timekeeper_follow to spina_app;
