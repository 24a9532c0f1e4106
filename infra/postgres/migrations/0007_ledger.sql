-- The public ledger: a Merkle tree over the events of all games, in the order of their positions. It is a function of
-- the log; what is stored here is what was said of it to the world, and must never be said differently.

-- What a leaf says of an event. Its text is made of these columns, so that one flipped bit shows in the root.
create table ledger_entry (
    index bigint primary key,
    -- An event becomes a leaf once.
    position bigint not null unique,
    stream uuid not null,
    version integer not null,
    mac bytea not null check (octet_length(mac) = 32),
    unique (stream, version)
);

-- Full tiles only: the partial ones at the right edge of the tree are in its head.
create table ledger_tile (
    level smallint not null,
    index bigint not null,
    hashes bytea not null check (octet_length(hashes) = 8192),
    primary key (level, index)
);
-- Hashes do not compress: trying would cost as much as computing them.
alter table ledger_tile alter column hashes set storage external;

-- How far the tree has grown. `edge` holds the hashes of its partial tiles, level by level, '' where a level has none.
create table ledger_head (
    is_only boolean primary key default true check (is_only),
    tree_size bigint not null,
    root bytea not null check (octet_length(root) = 32),
    position bigint not null,
    edge bytea[] not null
);
insert into ledger_head (tree_size, root, position, edge) values (0, sha256(''), 0, '{}');

-- Where each game stood when its newest line became a leaf. Updated in place; a wrong row stops the notary, no more.
create table ledger_stream (
    id uuid primary key,
    version integer not null,
    head bytea not null,
    leaf_key bytea not null
) with (fillfactor = 70);

-- What was signed, word for word. One size has one root: the key says so before anybody is told a second one.
create table ledger_checkpoint (
    origin text not null,
    tree_size bigint not null,
    root bytea not null,
    note text not null,
    primary key (origin, tree_size)
);

-- The lines that witnesses put under a checkpoint.
create table ledger_cosignature (
    origin text not null,
    tree_size bigint not null,
    witness text not null,
    line text not null,
    primary key (origin, tree_size, witness)
);

-- The one row that changes only grows: no session, the owner's included, takes a leaf back.
create function refuse_shrinking() returns trigger language plpgsql as $$
begin
    if new.tree_size <= old.tree_size or new.position <= old.position then
        raise exception 'the ledger has % leaves up to position %, it does not go back to % and %',
            old.tree_size, old.position, new.tree_size, new.position using errcode = 'restrict_violation';
    end if;
    return new;
end $$;

do $$
declare
    name text;
begin
    foreach name in array array['ledger_entry', 'ledger_tile', 'ledger_checkpoint', 'ledger_cosignature'] loop
        execute format('create trigger refuse_change before update or delete on %I '
                       'for each row execute function refuse_change()', name);
        execute format('alter table %I enable always trigger refuse_change', name);
    end loop;
    foreach name in array array['ledger_head', 'ledger_stream'] loop
        execute format('create trigger refuse_delete before delete on %I '
                       'for each row execute function refuse_change()', name);
        execute format('alter table %I enable always trigger refuse_delete', name);
    end loop;
    foreach name in array array['ledger_entry', 'ledger_tile', 'ledger_checkpoint', 'ledger_cosignature',
                                'ledger_head', 'ledger_stream'] loop
        execute format('create trigger refuse_truncate before truncate on %I '
                       'for each statement execute function refuse_change()', name);
        execute format('alter table %I enable always trigger refuse_truncate', name);
    end loop;
end $$;

create trigger refuse_shrinking before update on ledger_head for each row execute function refuse_shrinking();
alter table ledger_head enable always trigger refuse_shrinking;

-- Grow the tree, from the head that the caller built upon and from no other: a notary that lost its lock while it
-- worked is refused here. Returns false then, and nothing is stored.
create function ledger_grow(
    expected_size bigint, expected_root bytea, expected_position bigint,
    new_root bytea, new_edge bytea[],
    -- One entry a leaf, in order.
    positions bigint[], streams uuid[], versions integer[], macs bytea[],
    -- One entry a tile that became full.
    tile_levels integer[], tile_indexes bigint[], tile_hashes bytea[],
    -- One entry a game that has leaves among these.
    moved_streams uuid[], moved_versions integer[], moved_heads bytea[], moved_leaf_keys bytea[]
) returns boolean language plpgsql security definer set search_path = spina, pg_temp as $$
#variable_conflict use_column
begin
    update ledger_head
       set tree_size = expected_size + cardinality(positions), root = new_root,
           position = positions[cardinality(positions)], edge = new_edge
     where tree_size = expected_size and root = expected_root and position = expected_position;
    if not found then
        return false;
    end if;
    if expected_position >= positions[1] or exists (
        select from (select p, lag(p) over (order by place) as before
                       from unnest(positions) with ordinality u (p, place)) ordered
         where p <= before)
    then
        raise exception 'the positions do not ascend' using errcode = 'invalid_parameter_value';
    end if;

    insert into ledger_entry (index, position, stream, version, mac)
    select expected_size + place - 1, position, stream, version, mac
      from unnest(positions, streams, versions, macs) with ordinality u (position, stream, version, mac, place);

    insert into ledger_tile (level, index, hashes)
    select level, index, hashes from unnest(tile_levels, tile_indexes, tile_hashes) u (level, index, hashes);

    insert into ledger_stream as known (id, version, head, leaf_key)
    select id, version, head, leaf_key
      from unnest(moved_streams, moved_versions, moved_heads, moved_leaf_keys) u (id, version, head, leaf_key)
    on conflict (id) do update set version = excluded.version, head = excluded.head
     where known.version < excluded.version;
    return true;
end $$;

-- Store a checkpoint of a size that the tree has or had; the caller has computed the root from stored leaves. The same
-- one again is nothing new; another root for the size raises.
create function ledger_publish(signed_origin text, signed_size bigint, signed_root bytea, signed_note text)
returns void language plpgsql security definer set search_path = spina, pg_temp as $$
begin
    if signed_size > (select tree_size from ledger_head) then
        raise exception 'the ledger has not % leaves', signed_size using errcode = 'restrict_violation';
    end if;
    insert into ledger_checkpoint (origin, tree_size, root, note)
    values (signed_origin, signed_size, signed_root, signed_note) on conflict do nothing;
    if not exists (select from ledger_checkpoint
                    where origin = signed_origin and tree_size = signed_size and root = signed_root)
    then
        raise exception 'another root was signed for % leaves', signed_size using errcode = 'restrict_violation';
    end if;
end $$;

create function ledger_cosign(signed_origin text, signed_size bigint, witness_name text, signature_line text)
returns void language sql security definer set search_path = spina, pg_temp as $$
    insert into ledger_cosignature (origin, tree_size, witness, line)
    select origin, tree_size, witness_name, signature_line from ledger_checkpoint
     where origin = signed_origin and tree_size = signed_size on conflict do nothing
$$;

revoke all on function ledger_grow, ledger_publish, ledger_cosign, refuse_shrinking from public;
grant execute on function ledger_grow, ledger_publish, ledger_cosign to spina_app;
revoke all on ledger_entry, ledger_tile, ledger_head, ledger_stream, ledger_checkpoint, ledger_cosignature
    from public, spina_app;
grant select on ledger_entry, ledger_tile, ledger_head, ledger_stream, ledger_checkpoint, ledger_cosignature
    to spina_app;
