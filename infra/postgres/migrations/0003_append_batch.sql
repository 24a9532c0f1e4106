-- The only way into the log. One call appends the lines of many commands, each of another stream; the commands that
-- lost their race come back and the others are committed with the transaction. A batch that no correct program sends
-- raises, and nothing of it is stored.

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

create function append_batch(
    -- One entry a command.
    streams uuid[], expected integer[], heads bytea[], counts integer[],
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
    -- One command of a few lines, as when one game is alone on the server: the same checks and writes line by line.
    -- To start a statement over sets costs more than such an append in all.
    is_small constant boolean := size = 1 and cardinality(bodies) between 1 and 8;
    fit boolean;
    versions integer[];
    last_hashes bytea[];
    winners integer[] := '{}';
    won boolean[];
begin
    -- Elsewhere the snapshot may be older than the lock, and a lost race raises instead of being told.
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'append_batch needs read committed, not %', current_setting('transaction_isolation');
    end if;

    -- What can be checked without the log is checked before the lock.
    if size > 1 and size <> (select count(distinct s) from unnest(streams) s) then
        raise exception 'a stream occurs twice in the batch' using errcode = 'invalid_parameter_value';
    end if;
    if is_small then
        fit := counts[1] = cardinality(bodies);
        for place in 1..counts[1] loop
            fit := fit and line_commands[place] = 1
                and sha256(bodies[place]) = hashes[place]
                and line_fits(bodies[place], case when place = 1 then heads[1] else hashes[place - 1] end,
                              streams[1], types[place], expected[1] + place);
            versions[place] := expected[1] + place;
        end loop;
        last_hashes := array[hashes[counts[1]]];
    else
        select bool_and((l.place - c.before between 1 and c.count
                         and sha256(l.body) = l.hash
                         and line_fits(l.body, case when l.place = c.before + 1 then c.head else l.hash_before end,
                                       c.stream, l.type, (c.expected + l.place - c.before)::integer)) is true),
               array_agg((c.expected + l.place - c.before)::integer order by l.place),
               array_agg(l.hash order by l.place) filter (where l.place = c.before + c.count)
          into fit, versions, last_hashes
          from (select *, lag(hash) over (order by place) as hash_before
                  from (select generate_subscripts(bodies, 1) as place, unnest(line_commands) as command,
                               unnest(types) as type, unnest(hashes) as hash, unnest(bodies) as body) u) l
          join (select *, sum(count) over (order by place) - count as before
                  from (select generate_subscripts(streams, 1) as place, unnest(streams) as stream,
                               unnest(expected) as expected, unnest(heads) as head, unnest(counts) as count) u) c
            on c.place = l.command;
    end if;
    if (fit and cardinality(versions) = cardinality(bodies) and cardinality(last_hashes) = size) is not true then
        raise exception 'the lines do not fit their counts, hashes or places in their streams'
            using errcode = 'invalid_parameter_value';
    end if;
    if exists (select from (select unnest(expected) as expected, unnest(heads) as head,
                                   unnest(command_ids) as command_id, unnest(command_hashes) as command_hash,
                                   unnest(secret_boxes) as secret_box) r
               where (expected = 0) <> (head = genesis)
                  or (command_id is null) <> (command_hash is null) or octet_length(command_hash) <> 32
                  or expected > 0 and secret_box is not null)
       or cardinality(held_versions) > 0 and exists (
            select from unnest(held_commands, held_versions) h (command, version)
             where (version between expected[command] + 1 and expected[command] + counts[command]) is not true)
    then
        raise exception 'a head, command, secret or held opening does not fit'
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

    if is_small then
        update stream s set version = expected[1] + counts[1], head = last_hashes[1]
         where s.id = streams[1] and s.version = expected[1] and s.head = heads[1]
           and not exists (select from command c where c.stream = streams[1] and c.id = command_ids[1]);
        won := array[found];
        if found then
            winners := array[1];
            for place in 1..counts[1] loop
                insert into event (position, stream, version, type, hash, body)
                values (nextval('event_position'), streams[1], versions[place], types[place], hashes[place],
                        bodies[place]);
            end loop;
        end if;
    else
        with winner as (
            update stream s set version = r.expected + r.count, head = r.last_hash
              from (select generate_subscripts(streams, 1) as place, unnest(streams) as stream,
                           unnest(expected) as expected, unnest(heads) as head, unnest(counts) as count,
                           unnest(command_ids) as command_id, unnest(last_hashes) as last_hash) r
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
        select nextval('event_position'), l.stream, l.version, l.type, l.hash, l.body
          from (select streams[command] as stream, version, type, hash, body
                  from (select generate_subscripts(bodies, 1) as place, unnest(line_commands) as command,
                               unnest(versions) as version, unnest(types) as type, unnest(hashes) as hash,
                               unnest(bodies) as body) u
                 where won[command] order by place) l;
    end if;

    insert into command (stream, id, body_hash, first_version, last_version, head)
    select r.stream, r.command_id, r.command_hash, r.expected + 1, r.expected + r.count, r.last_hash
      from (select generate_subscripts(streams, 1) as place, unnest(streams) as stream,
                   unnest(expected) as expected, unnest(counts) as count, unnest(command_ids) as command_id,
                   unnest(command_hashes) as command_hash, unnest(last_hashes) as last_hash) r
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
        select r.place::integer, coalesce(s.version, 0), coalesce(s.head, genesis),
               exists (select from event e where e.stream = r.stream and e.version = r.expected + r.count
                                             and e.hash = r.last_hash),
               c.body_hash, c.first_version, c.last_version, c.head
          from unnest(streams, expected, counts, command_ids, last_hashes)
               with ordinality r (stream, expected, count, command_id, last_hash, place)
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
