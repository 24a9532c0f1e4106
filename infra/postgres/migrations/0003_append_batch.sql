-- The only ways into the log: `append_batch`, and `append_one`, its short form. One call appends the lines of many
-- commands, each of another stream; the commands that lost their race come back and the others are committed with the
-- transaction. A batch that no correct program sends raises, and nothing of it is stored.

-- Whether a line says of itself what is stored about it. Canonical JSON sorts its keys, so a line ends like this:
--   "prev":"<64 hex>","sig":null,"stream":"<uuid>","type":"action_played","version":17}
-- with `"<128 hex>"` in the place of null when it is signed. From the right, that is 70 bytes and the type and version,
-- 4 or 130 bytes of signature, and 80 bytes with the hash of the line before.
create function line_fits(body bytea, prev bytea, stream uuid, type text, version integer) returns boolean
language sql stable parallel safe as $$
    -- One plain expression and no claim stronger than that of its parts (`convert_to` is stable), or the planner calls it
    -- instead of putting it in the place of the call, eight times slower.
    select substr(body, length(body) - 69 - octet_length(type) - length(version::text))
               = convert_to(',"stream":"' || stream::text || '","type":"' || type
                            || '","version":' || version::text || '}', 'UTF8')
       and substr(body, length(body) - 149 - octet_length(type) - length(version::text)
                        - case substr(body, length(body) - 73 - octet_length(type) - length(version::text), 4)
                              when 'null'::bytea then 4 else 130 end, 80)
               = convert_to('"prev":"' || encode(prev, 'hex') || '","sig":', 'UTF8')
$$;

-- The append of one game alone: one command of some lines, without a new game's secret and without held openings. True
-- says that all of it is written; false, that nothing is, and `append_batch` tells why. What it does is what
-- `append_batch` does, without sets: to start a statement over sets takes longer than such an append in all.
create function append_one(
    stream_id uuid, expected integer, head_before bytea, command_id uuid, command_hash bytea,
    types text[], hashes bytea[], bodies bytea[]
)
returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
#variable_conflict use_column
declare
    count constant integer := cardinality(bodies);
    prev bytea := head_before;
    ending text;
    fit boolean;
begin
    -- Isolation, checks, lock, writes: in this order for the reasons that stand in `append_batch`.
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'append_one needs read committed, not %', current_setting('transaction_isolation');
    end if;

    -- A new game begins with `append_batch`.
    fit := expected > 0 and head_before <> decode(repeat('00', 32), 'hex')
        and count > 0 and cardinality(types) = count and cardinality(hashes) = count
        and (command_id is null) = (command_hash is null) and coalesce(octet_length(command_hash), 32) = 32;
    for place in 1..count loop
        -- What most lines end like, made once; `line_fits` is asked about the signed ones.
        ending := format('"prev":"%s","sig":null,"stream":"%s","type":"%s","version":%s}',
                         encode(prev, 'hex'), stream_id, types[place], expected + place);
        fit := fit and sha256(bodies[place]) = hashes[place];
        if substr(bodies[place], length(bodies[place]) - octet_length(ending) + 1) <> convert_to(ending, 'UTF8') then
            fit := fit and line_fits(bodies[place], prev, stream_id, types[place], expected + place);
        end if;
        prev := hashes[place];
    end loop;
    if fit is not true then
        raise exception 'the lines do not fit their count, hashes or places in their stream, or the command its hash'
            using errcode = 'invalid_parameter_value';
    end if;

    perform pg_advisory_xact_lock(5785247042114);

    update stream s set version = expected + count, head = prev
     where s.id = stream_id and s.version = expected and s.head = head_before
       and not exists (select from command c where c.stream = stream_id and c.id = command_id);
    if not found then
        return false;
    end if;
    if command_id is not null then
        insert into command (stream, id, body_hash, first_version, last_version, head)
        values (stream_id, command_id, command_hash, expected + 1, expected + count, prev);
    end if;
    -- The series comes in its order, and so positions are drawn in the order of versions.
    insert into event (position, stream, version, type, hash, body)
    select nextval('event_position'), stream_id, expected + place, types[place], hashes[place], bodies[place]
      from generate_series(1, count) place;
    return true;
end $$;

create function append_batch(
    -- One entry a command; `lasts` is the place of its last line among all lines, counted from 1.
    streams uuid[], expected integer[], heads bytea[], lasts integer[],
    command_ids uuid[], command_hashes bytea[], secret_boxes bytea[],
    -- One entry a line, in the order of the commands; `line_commands` counts commands from 1.
    line_commands integer[], types text[], hashes bytea[], bodies bytea[],
    -- One entry a held opening.
    held_commands integer[], held_versions integer[], held_boxes bytea[]
)
-- One row a command that lost, none for the others. `appended` says that the log has just these lines in that place:
-- whoever lost a reply and sends again learns that the first attempt was committed.
returns table (lost integer, actual_version integer, actual_head bytea, appended boolean,
               seen_hash bytea, seen_first integer, seen_last integer, seen_head bytea)
language plpgsql security definer set search_path = spina, pg_temp as $$
#variable_conflict use_column
declare
    -- The line before the first one of a stream is 32 zero bytes.
    genesis constant bytea := decode(repeat('00', 32), 'hex');
    size constant integer := cardinality(streams);
    -- The place before the first line of each command. To look into an array is cheap here, even into one of texts:
    -- plpgsql keeps its arguments taken apart. Joins, sorts and windows over sets so small take longer to set up.
    befores constant integer[] := 0 || lasts;
    winners integer[];
    won boolean[];
begin
    -- Elsewhere the snapshot may be older than the lock, and a lost race raises instead of being told.
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'append_batch needs read committed, not %', current_setting('transaction_isolation');
    end if;

    -- What can be checked without the log is checked before the lock.
    if size <> (select count(distinct s) from unnest(streams) s) then
        raise exception 'a stream occurs twice in the batch' using errcode = 'invalid_parameter_value';
    end if;
    if (cardinality(lasts) = size and lasts[size] = cardinality(bodies)
        and (select bool_and((befores[command] < place and place <= lasts[command]
                              and sha256(body) = hash
                              and line_fits(body, case when place = befores[command] + 1 then heads[command]
                                                       else hashes[place - 1] end,
                                            streams[command], type,
                                            expected[command] + place - befores[command])) is true)
               from (select generate_subscripts(bodies, 1) as place, unnest(line_commands) as command,
                            unnest(types) as type, unnest(hashes) as hash, unnest(bodies) as body) l)
       ) is not true
    then
        raise exception 'the lines do not fit their counts, hashes or places in their streams'
            using errcode = 'invalid_parameter_value';
    end if;
    if exists (select from (select unnest(befores[:size]) as before, unnest(lasts) as last,
                                   unnest(expected) as expected, unnest(heads) as head,
                                   unnest(command_ids) as command_id, unnest(command_hashes) as command_hash,
                                   unnest(secret_boxes) as secret_box) r
               where (before < last) is not true
                  or (expected = 0) <> (head = genesis)
                  or (command_id is null) <> (command_hash is null) or octet_length(command_hash) <> 32
                  or expected > 0 and secret_box is not null)
       or cardinality(held_versions) > 0 and exists (
            select from unnest(held_commands, held_versions) h (command, version)
             where (version between expected[command] + 1
                                and expected[command] + lasts[command] - befores[command]) is not true)
    then
        raise exception 'a count, head, command, secret or held opening does not fit'
            using errcode = 'invalid_parameter_value';
    end if;

    -- Each statement after this one sees everything that was committed before the lock was granted. The lock goes
    -- with the transaction, after the commit is visible: position order is commit order.
    perform pg_advisory_xact_lock(5785247042114);

    if 0 = any (expected) then
        insert into stream (id, version, head)
        select r.stream, 0, genesis from unnest(streams, expected) r (stream, expected) where r.expected = 0
        on conflict do nothing;
    end if;

    with winner as (
        update stream s set version = r.expected + lasts[r.place] - befores[r.place], head = hashes[lasts[r.place]]
          from (select generate_subscripts(streams, 1) as place, unnest(streams) as stream,
                       unnest(expected) as expected, unnest(heads) as head, unnest(command_ids) as command_id) r
         where s.id = r.stream and s.version = r.expected and s.head = r.head
           and not exists (select from command c where c.stream = r.stream and c.id = r.command_id)
        returning r.place
    )
    select coalesce(array_agg(place), '{}') into winners from winner;

    won := array_fill(cardinality(winners) = size, array[size]);
    if not won[1] then
        won := array(select place = any (winners) from generate_subscripts(streams, 1) place);
    end if;

    insert into event (position, stream, version, type, hash, body)
    select nextval('event_position'), streams[l.command], expected[l.command] + l.place - befores[l.command], l.type,
           l.hash, l.body
      from (select place, command, type, hash, body
              from (select generate_subscripts(bodies, 1) as place, unnest(line_commands) as command,
                           unnest(types) as type, unnest(hashes) as hash, unnest(bodies) as body) u
             where won[command] order by place) l;

    insert into command (stream, id, body_hash, first_version, last_version, head)
    select r.stream, r.command_id, r.command_hash, r.expected + 1, r.expected + lasts[r.place] - befores[r.place],
           hashes[lasts[r.place]]
      from (select generate_subscripts(streams, 1) as place, unnest(streams) as stream,
                   unnest(expected) as expected, unnest(command_ids) as command_id,
                   unnest(command_hashes) as command_hash) r
     where r.command_id is not null and won[r.place];

    if 0 = any (expected) then
        insert into secret (stream, sealed_box)
        select r.stream, r.secret_box from unnest(streams, secret_boxes) with ordinality r (stream, secret_box, place)
         where r.secret_box is not null and won[r.place];
    end if;

    if cardinality(held_boxes) > 0 then
        insert into held_opening (stream, version, sealed_box)
        select streams[h.command], h.version, h.box
          from unnest(held_commands, held_versions, held_boxes) h (command, version, box) where won[h.command];
    end if;

    if cardinality(winners) < size then
        return query
        select r.place, coalesce(s.version, 0), coalesce(s.head, genesis),
               exists (select from event e where e.stream = r.stream and e.hash = hashes[lasts[r.place]]
                                             and e.version = r.expected + lasts[r.place] - befores[r.place]),
               c.body_hash, c.first_version, c.last_version, c.head
          from (select generate_subscripts(streams, 1) as place, unnest(streams) as stream,
                       unnest(expected) as expected, unnest(command_ids) as command_id) r
          left join stream s on s.id = r.stream
          left join command c on c.stream = r.stream and c.id = r.command_id
         where won[r.place] is not true
         order by r.place;
    end if;
end $$;

create function save_components(components_hash bytea, ruleset_name text, ruleset_version integer, components_body bytea)
returns void language sql security definer set search_path = spina, pg_temp as $$
    insert into components (hash, ruleset, version, body)
    values (components_hash, ruleset_name, ruleset_version, components_body) on conflict do nothing
$$;
